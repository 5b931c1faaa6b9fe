package store

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// describing are the system properties of containers. A file of documents leaves them out.
var describing = []string{"_rid", "_self", "_etag", "_ts", "_docs", "_sprocs", "_triggers", "_udfs", "_conflicts"}

// Export calls write for each container, and for each database without containers, with NDJSON
// for Import. The argument container is empty for a database without containers. Documents
// have no system properties. They come by physical partition, and within it in the order of
// their creation. The last line holds the number of documents: without it, the text was cut
// short.
func (a *Account) Export(write func(database, container string, text []byte) error) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, d := range a.databases.all() {
		containers := d.containers.all()
		if len(containers) == 0 {
			if err := write(d.id, "", append(MustJSON(d.head()), '\n')); err != nil {
				return err
			}
		}
		for _, c := range containers {
			c.mu.RLock()
			e, err := c.export()
			c.mu.RUnlock()
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := e.write(&text); err != nil {
				return err
			}
			if err := write(d.id, c.id, text.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// ExportContainer returns a function that writes a container as Export does. It writes the
// state at the time of the call, and holds no lock while it writes.
func (a *Account) ExportContainer(database, container string, now time.Time) (func(io.Writer) error, error) {
	_, c := a.Find(database, container)
	if c == nil {
		return nil, status.NoSuchEntity()
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	c.rlock(now)
	defer c.mu.RUnlock()
	e, err := c.export()
	return e.write, err
}

// head is the first line of a file, without the properties of the container. The caller holds
// the lock of the account.
func (d *Database) head() head {
	h := head{Database: d.id}
	if d.offer != nil {
		shared := d.offer.settings
		h.DatabaseThroughput = &shared
	}
	return h
}

// export is a container as it was at one time.
type export struct {
	head      head
	documents []Documents
}

// export returns the present state of a container. The caller holds the locks of the
// account and of the container.
func (c *Container) export() (export, error) {
	e := export{head: c.database.head()}
	e.head.Ends = true
	if c.offer != nil {
		own := c.offer.settings
		e.head.Throughput = &own
	}
	var err error
	if e.head.Container, err = without(c.raw, describing); err != nil {
		return e, err
	}
	if c.derived != nil { // entries are derived from the source
		e.head.Container = withIndex(e.head.Container, c.derived.definition)
		return e, nil
	}
	for _, r := range c.Ranges {
		e.documents = append(e.documents, r.Snapshot().Docs)
	}
	return e, nil
}

// write writes NDJSON.
func (e export) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	_, _ = out.Write(append(MustJSON(e.head), '\n')) // Flush returns the error
	documents := 0
	for _, list := range e.documents {
		for d := range list.All() {
			raw, err := without(d.Raw, systemProperties)
			if err != nil {
				return err
			}
			if _, err := out.Write(append(raw, '\n')); err != nil {
				return err
			}
			documents++
		}
	}
	_, _ = out.Write(append(MustJSON(tail{end{documents}}), '\n'))
	return out.Flush()
}

// without returns a JSON object without some of its members.
func without(raw []byte, names []string) ([]byte, error) {
	list, err := jsontext.Members(raw)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range list {
		if !slices.Contains(names, m.Name) {
			jsontext.WriteMember(&b, m.Name, m.Raw)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

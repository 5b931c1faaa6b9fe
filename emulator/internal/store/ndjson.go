package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// head is the first line of a file of documents.
type head struct {
	Database string `json:"database"`
	// DatabaseThroughput is what the containers of the database share, or nil.
	DatabaseThroughput *Throughput `json:"databaseThroughput,omitempty"`
	// Container holds the properties with which it is created; without them the file is
	// about a database without containers.
	Container  json.RawMessage `json:"container,omitempty"`
	Throughput *Throughput     `json:"throughput,omitempty"`
}

const headExample = `{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}`

// Imported is what a file of documents has made.
type Imported struct {
	Database, Container string
	Documents           int
}

// ErrContainerExists says that a file was not read since its container exists.
var ErrContainerExists = errors.New("the container exists already")

// Import creates a container with its documents from NDJSON: a line with the database and
// the container, and a line for each document. It creates the database if that is missing.
// An error names the line, and has no effect. If the container exists, the error is
// [ErrContainerExists].
func (a *Account) Import(text io.Reader, now time.Time) (Imported, error) {
	lines := &lineReader{r: bufio.NewReader(text)}
	var done Imported
	line, err := lines.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return done, err
	}
	var h head
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return done, fmt.Errorf("line %d: %w; the first line is a container such as %s", max(lines.n, 1), err, headExample)
	}
	done.Database = h.Database
	a.mu.Lock()
	defer a.mu.Unlock()
	database, isNew, err := a.importDatabase(h, now)
	if err != nil {
		return done, fmt.Errorf("line %d: %w", lines.n, err)
	}
	var c *Container
	var throughput *Throughput
	if h.Container != nil {
		c, throughput, err = a.importContainer(database, h, now)
		if c != nil {
			done.Container = c.id
		}
		if err != nil {
			return done, fmt.Errorf("line %d: %w", lines.n, err)
		}
	}
	in := &importing{account: a, container: c}
	if done.Documents, err = in.read(lines, now); err != nil {
		in.undo()
		return done, fmt.Errorf("line %d: %w", lines.n, err)
	}
	if isNew {
		in.changes = append(in.changes, a.enterDatabase(database, h.DatabaseThroughput, now)...)
	}
	if c != nil {
		in.changes = append(in.changes, a.enter(c, throughput, now)...)
	}
	in.end()
	return done, nil
}

// importDatabase returns the database of a file, and whether it is new and not yet in the
// account.
func (a *Account) importDatabase(h head, now time.Time) (*Database, bool, error) {
	if d, ok := a.databases.get(h.Database); ok {
		return d, false, nil
	}
	if err := checkID(h.Database, false); err != nil {
		return nil, false, fmt.Errorf("database: %w", err)
	}
	return newDatabase(h.Database, now), true, a.mayHave(h.DatabaseThroughput)
}

// importContainer makes the container of a file, which is not yet in the account, and
// returns its throughput. If the account has the container, it returns that one and
// ErrContainerExists.
func (a *Account) importContainer(d *Database, h head, now time.Time) (*Container, *Throughput, error) {
	id, sent, err := ResourceID(h.Container)
	if err != nil {
		return nil, nil, err
	}
	if existing, ok := d.containers.get(id); ok {
		return existing, nil, ErrContainerExists
	}
	definition, err := ParseKeyDefinition(sent["partitionKey"], a.limits.Lenient)
	if err != nil {
		return nil, nil, err
	}
	if err := a.mayHave(h.Throughput); err != nil {
		return nil, nil, err
	}
	c, p, err := a.newContainer(d, id, definition, sent, h.Throughput, now)
	if h.Throughput == nil && h.DatabaseThroughput != nil {
		p = nil // it shares that of the database
	}
	return c, p, err
}

// mayHave refuses throughput, which may be nil, that the account cannot have.
func (a *Account) mayHave(p *Throughput) error {
	if p == nil {
		return nil
	}
	if a.limits.Serverless {
		return status.BadRequest("A serverless account has no throughput: leave it out of the first line.")
	}
	return p.Check()
}

// lineReader reads the lines of a text that are not blank.
type lineReader struct {
	r *bufio.Reader
	n int // the number of the last line
}

func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.r.ReadBytes('\n')
		if len(line) == 0 {
			return nil, err
		}
		l.n++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// describing are the system properties of containers, which a file of documents lacks.
var describing = []string{"_rid", "_self", "_etag", "_ts", "_docs", "_sprocs", "_triggers", "_udfs", "_conflicts"}

// Export calls write for each container, and for each database without containers, with
// NDJSON that Import reads. The container is empty for a database without containers.
// Documents come without system properties, in the order of partitions and then of their
// creation.
func (a *Account) Export(write func(database, container string, text []byte) error) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, d := range a.databases.all() {
		first := head{Database: d.id}
		if d.offer != nil {
			first.DatabaseThroughput = &d.offer.settings
		}
		containers := d.containers.all()
		if len(containers) == 0 {
			if err := write(d.id, "", append(MustJSON(first), '\n')); err != nil {
				return err
			}
		}
		for _, c := range containers {
			text, err := c.export(first)
			if err != nil {
				return err
			}
			if err := write(d.id, c.id, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// export returns the NDJSON of a container. The caller holds the lock of the account.
func (c *Container) export(first head) ([]byte, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.offer != nil {
		first.Throughput = &c.offer.settings
	}
	var err error
	if first.Container, err = without(c.raw, describing); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Write(MustJSON(first))
	text.WriteByte('\n')
	for _, r := range c.Ranges {
		for d := range r.docs.now.All() {
			raw, err := without(d.Raw, systemProperties)
			if err != nil {
				return nil, err
			}
			text.Write(raw)
			text.WriteByte('\n')
		}
	}
	return text.Bytes(), nil
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

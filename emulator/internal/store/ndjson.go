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
	// DatabaseThroughput is the throughput that the containers of the database share, or nil.
	DatabaseThroughput *Throughput `json:"databaseThroughput,omitempty"`
	// Container holds the properties of the container to create. Without them, the file
	// describes a database without containers.
	Container  json.RawMessage `json:"container,omitempty"`
	Throughput *Throughput     `json:"throughput,omitempty"`
	// Ends says that the file must have a last line. If it is missing, the file was cut short.
	Ends bool `json:"ends,omitempty"`
}

// tail is the last line of a file of documents.
type tail struct {
	End end `json:"end"`
}

// end holds the number of documents of a file.
type end struct {
	Documents int `json:"documents"`
}

// isTail reports whether a line is the last one of a file. Documents have an id, so they are
// no such line.
func isTail(line []byte) bool {
	if !bytes.HasPrefix(line, []byte(`{"end":`)) {
		return false
	}
	list, err := jsontext.ParseObject(line)
	return err == nil && len(list) == 1
}

// errCut is the error for a file that lacks its last line.
var errCut = errors.New(`the file was cut short: its first line has "ends", and the last one, such as {"end":{"documents":7}}, is missing`)

const headExample = `{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}`

// Imported is the result of an import.
type Imported struct {
	Database, Container string
	Documents           int
}

// ErrContainerExists is the error of an import whose container exists already.
var ErrContainerExists = errors.New("the container exists already")

// Import creates a container with its documents from NDJSON: a line with the database and the
// container, and a line for each document. It creates the database if that is missing. If
// Import fails, it has no effect, and the error names the line. If the container exists, the
// error is [ErrContainerExists].
func (a *Account) Import(text io.Reader, now time.Time) (Imported, error) {
	lines := &lineReader{r: bufio.NewReader(text)}
	var done Imported
	line, err := lines.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return done, err
	}
	h, err := readHead(line)
	if err != nil {
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
	in := &importing{account: a, container: c, ends: h.Ends}
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
	if c != nil {
		c.joinSource()
	}
	return done, nil
}

// readHead reads the first line. It refuses further objects there, which would be lost.
func readHead(line []byte) (h head, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return h, err
	}
	if d.InputOffset() < int64(len(line)) {
		return h, errors.New("there is more on the line than one object")
	}
	return h, nil
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

// importContainer makes the container of a file, without adding it to the account, and returns
// its throughput. If the account has the container already, it returns the existing one and
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
		p = nil // it shares the throughput of the database
	}
	return c, p, err
}

// mayHave refuses throughput that the account cannot have. p may be nil.
func (a *Account) mayHave(p *Throughput) error {
	if p == nil {
		return nil
	}
	if a.limits.Serverless {
		return status.BadRequest("A serverless account has no throughput: leave it out of the first line.")
	}
	return p.Check()
}

// readLine reads a line with a document.
func (c *Container) readLine(line []byte) (*Key, *Incoming, error) {
	list, err := jsontext.ParseObject(line)
	if err != nil {
		return nil, nil, err
	}
	k, err := c.keyOf(jsontext.ByName(list))
	if err != nil {
		return nil, nil, err
	}
	in, err := c.checkDocument(list, k)
	return k, in, err
}

// Import stores the documents of a file in an existing container. A document replaces the one
// with its key and id. The first line may describe a container with the same partition key and
// any name. If a line is refused, Import calls failed with its number and continues. The
// returned error is about the whole file.
func (c *Container) Import(text io.Reader, now time.Time, failed func(line int, err error)) (stored int, err error) {
	lines := &lineReader{r: bufio.NewReader(text)}
	ends := false // there is a last line
	for first := true; ; first = false {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			if ends {
				return stored, errCut
			}
			return stored, nil
		}
		if err != nil {
			return stored, fmt.Errorf("the file ended early after line %d: %w", lines.n, err)
		}
		if first && headOf(line) != nil {
			if err := c.checkSameKey(headOf(line)); err != nil {
				return stored, fmt.Errorf("line %d: %w", lines.n, err)
			}
			var h head
			ends = json.Unmarshal(line, &h) == nil && h.Ends
			continue
		}
		if isTail(line) {
			ends = false
			continue
		}
		if err := c.upsertLine(line, now); err != nil {
			failed(lines.n, err)
			continue
		}
		stored++
	}
}

// upsertLine stores the document of a line.
func (c *Container) upsertLine(line []byte, now time.Time) error {
	k, in, err := c.readLine(line)
	if err != nil {
		return err
	}
	return c.Transact(k, now, false, func(t *Transaction) error {
		_, err := t.Perform(&Action{Kind: Upsert, Key: k, ID: in.ID, Incoming: in})
		return err
	})
}

// headOf returns the container of the first line of a file, or nil for a document.
func headOf(line []byte) json.RawMessage {
	list, err := jsontext.ParseObject(line)
	if err != nil {
		return nil
	}
	members := jsontext.ByName(list)
	if members["id"] != nil {
		return nil
	}
	return members["container"]
}

// checkSameKey refuses the container of a file if it has another partition key.
func (c *Container) checkSameKey(container json.RawMessage) error {
	_, sent, err := ResourceID(container)
	if err != nil {
		return err
	}
	definition, err := ParseKeyDefinition(sent["partitionKey"], true)
	if err == nil && !slices.Equal(definition.Paths, c.key.Paths) {
		err = fmt.Errorf("the file is of a container with the partition key %q, and this one has %q", definition.Paths, c.key.Paths)
	}
	return err
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

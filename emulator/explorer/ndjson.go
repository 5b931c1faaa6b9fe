package explorer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// export writes a container as lines of JSON, as pkgen-emulator dump does: first the
// container, then the documents without their system properties.
func (e *Explorer) export(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	write, err := e.account.Store.ExportContainer(q.Get("db"), q.Get("c"), e.account.Now())
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Disposition", "attachment")
	if write(w) != nil {
		panic(http.ErrAbortHandler) // the file must not look complete
	}
}

// Bounds of an import.
const (
	shownFailures = 20        // lines that are reported
	maxFile       = 512 << 20 // bytes of a file with a new container
)

// imported is the result of an import.
type imported struct {
	Database  string       `json:"db"`
	Container string       `json:"c"`
	Stored    int          `json:"stored"` // documents
	Failed    int          `json:"failed"` // lines
	Failures  []failedLine `json:"failures"`
}

type failedLine struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// load stores the documents of a file in a container, in the format of pkgen-emulator -load. A
// document replaces the one with its key and id. A refused line does not end the import. If
// the request names no container, load creates the container in the first line of the file.
func (e *Explorer) load(r *http.Request) (any, error) {
	q := r.URL.Query()
	if q.Get("c") == "" {
		return e.create(r)
	}
	c, err := e.container(r)
	if err != nil {
		return nil, err
	}
	done := imported{Database: q.Get("db"), Container: q.Get("c"), Failures: []failedLine{}}
	done.Stored, err = c.Import(r.Body, e.account.Now(), func(line int, err error) {
		done.Failed++
		if len(done.Failures) < shownFailures {
			done.Failures = append(done.Failures, failedLine{line, err.Error()})
		}
	})
	if err != nil {
		err = fmt.Errorf("%w; %d documents before that are stored", err, done.Stored)
	}
	return done, errors.Join(err, e.account.Store.Settle())
}

// create creates the container in the first line of a file, with its documents. If a line is
// wrong, it creates nothing.
func (e *Explorer) create(r *http.Request) (any, error) {
	// The account is locked while it reads the lines, so they must be in memory.
	text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxFile))
	if err != nil {
		return nil, fmt.Errorf("the upload ended early, or has more than %d MB: %w; use pkgen-emulator -load for large files", maxFile>>20, err)
	}
	made, err := e.account.Store.Import(bytes.NewReader(text), e.account.Now())
	if errors.Is(err, store.ErrContainerExists) {
		return nil, status.New(status.Conflict, 0, "there is a container %q in database %q: open it, and import the file there", made.Container, made.Database)
	}
	if err != nil {
		return nil, err
	}
	return imported{Database: made.Database, Container: made.Container, Stored: made.Documents, Failures: []failedLine{}}, e.account.Store.Settle()
}

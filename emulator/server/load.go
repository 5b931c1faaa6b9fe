package server

import (
	"errors"
	"io"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Loaded is the result of loading a file of documents.
type Loaded struct {
	Database, Container string
	Documents           int
	// Existed reports that the container existed, and that nothing was loaded.
	Existed bool
}

// Load creates a container with its documents from NDJSON: a line with the database and the
// container, such as
//
//	{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}
//
// and a line for each document. The first line may also have the throughput of the container
// and of its database, as in an offer: "throughput":{"offerThroughput":400} and
// "databaseThroughput". Load creates the database if it is missing, and leaves an existing
// container unchanged. An error names the line, and nothing is loaded then. If the server has
// records, they have everything loaded when Load returns.
func (s *Server) Load(text io.Reader) (Loaded, error) {
	done, err := s.account.Import(text, s.clock.now())
	loaded := Loaded{Database: done.Database, Container: done.Container, Documents: done.Documents}
	if errors.Is(err, store.ErrContainerExists) {
		loaded.Existed = true
		return loaded, nil
	}
	return loaded, errors.Join(err, s.account.Settle())
}

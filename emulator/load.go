package emulator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Load starts a server for a test, like [New] without options, and loads files into it. It
// fails the test if a file cannot be loaded; see [Server.Load].
func Load(t TB, files ...string) *Server {
	t.Helper()
	s := New(t, Options{})
	if err := s.Load(files...); err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// Load creates containers with their documents from NDJSON files. The first line of a file has
// a database and a container, with its partition key definition and other properties for its
// creation:
//
//	{"database":"shop","container":{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}
//
// Each further line is a document. pkgen-emulator dump writes such files. A name may be a
// pattern of [filepath.Match], such as testdata/*.ndjson. Load fails if a pattern matches no
// file, if a container exists, or if a line is wrong, and names the file and the line. It loads
// the files before that one, and nothing of that one.
func (s *Server) Load(files ...string) error {
	for _, pattern := range files {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return fmt.Errorf("emulator: pattern %q: %w", pattern, err)
		}
		if len(names) == 0 {
			return fmt.Errorf("emulator: no file matches %q", pattern)
		}
		for _, name := range names {
			if err := s.loadFile(name); err != nil {
				return fmt.Errorf("emulator: %s: %w", name, err)
			}
		}
	}
	return nil
}

func (s *Server) loadFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	loaded, err := s.Server.Load(file)
	if err == nil && loaded.Existed {
		err = errors.New("its container exists already: a file holds a whole container")
	}
	return err
}

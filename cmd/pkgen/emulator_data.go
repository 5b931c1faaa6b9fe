package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// fileList is a flag that can be repeated.
type fileList []string

// String returns the files.
func (l *fileList) String() string { return strings.Join(*l, " ") }

// Set adds a file.
func (l *fileList) Set(name string) error {
	*l = append(*l, name)
	return nil
}

// withData runs the server with the data folder, if there is one.
func (f *emulatorFlags) withData(run func() error) error {
	if f.data == "" {
		return run()
	}
	records, err := folder.Open(f.data)
	if err != nil {
		return err
	}
	f.options.Records = records
	return errors.Join(run(), records.Close())
}

// load loads the files of -load. It leaves containers that exist as they are.
func (f *emulatorFlags) load(account *server.Server, stdout io.Writer) error {
	for _, name := range f.loads {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		loaded, err := account.Load(file)
		_ = file.Close() // it was only read
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if loaded.Existed {
			fmt.Fprintf(stdout, "database %s, container %s exists: %s is not loaded\n", loaded.Database, loaded.Container, name)
			continue
		}
		fmt.Fprintf(stdout, "database %s, container %s: %d documents from %s\n", loaded.Database, loaded.Container, loaded.Documents, name)
	}
	return nil
}

// dump writes the databases of the data folder as files of NDJSON.
func (f *emulatorFlags) dump(stdout, stderr io.Writer) int {
	if f.data == "" || f.out == "" {
		return fail(stderr, errors.New("dump needs two folders: pkgen emulator dump -data FOLDER -o FOLDER"))
	}
	files, err := folder.Dump(f.data, f.out)
	for _, file := range files {
		fmt.Fprintln(stdout, file)
	}
	if err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

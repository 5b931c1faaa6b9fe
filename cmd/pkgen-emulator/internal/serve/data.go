package serve

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// dumpCommand is pkgen-emulator dump.
func dumpCommand() cli.Command {
	return cli.Command{
		Name: "dump",
		Help: "write the databases of a data folder to files",
		About: "Writes a file of NDJSON for each container of a data folder, which pkgen-emulator -load reads. It replaces no files. " +
			"If the data folder is damaged, it writes all intact documents, and the exit code is 2.",
		Examples: [][2]string{{"pkgen-emulator dump -data ./cosmos -o testdata", ""}},
		Bind:     bindDump,
	}
}

// fileList is a repeatable flag.
type fileList []string

// String returns the files.
func (l *fileList) String() string { return strings.Join(*l, " ") }

// Set adds a file.
func (l *fileList) Set(name string) error {
	*l = append(*l, name)
	return nil
}

// withData runs the server with the data folder, if there is one. It reports when the folder
// becomes unwritable.
func (f *emulatorFlags) withData(stderr io.Writer, run func() error) error {
	if f.data == "" {
		return run()
	}
	records, err := folder.Open(f.data)
	if err != nil {
		return err
	}
	f.options.Records = records
	ended := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-records.Failed():
			fmt.Fprintf(stderr, "every request fails from now on: %v; free space or repair the disk, and restart the emulator: all acknowledged writes are in the file\n", records.Settle())
		case <-ended:
		}
	})
	err = run()
	close(ended)
	watching.Wait()
	return errors.Join(err, records.Close())
}

// load loads the files of -load. It does not change existing containers.
func (f *emulatorFlags) load(account *server.Server, stdout io.Writer) error {
	for _, name := range f.loads {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		loaded, err := account.Load(file)
		_ = file.Close() // read only
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

// bindDump declares the flags of pkgen-emulator dump.
func bindDump(flags *flag.FlagSet) cli.Action {
	data := flags.String("data", "", "the data `folder`, which no emulator is using")
	out := flags.String("o", "", "the `folder` for the files")
	return func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if err := cli.TakesNone("dump", args); err != nil {
			return cli.Fail(stderr, err)
		}
		if *data == "" || *out == "" {
			return cli.Fail(stderr, errors.New("dump needs two folders: pkgen-emulator dump -data FOLDER -o FOLDER"))
		}
		files, err := folder.Dump(*data, *out)
		for _, file := range files {
			fmt.Fprintln(stdout, file)
		}
		if err != nil {
			return cli.Fail(stderr, err)
		}
		return cli.Done
	}
}

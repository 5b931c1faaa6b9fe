// Command keys shows that programs in several languages make the same partition
// keys: it writes documents that they read by the functions of pkgen keys, and
// reads documents that they have written under the keys of these functions.
//
//	keys write          creates database keys, containers measurement and visit, and the documents go-m1, go-v1 and so on
//	keys read python    reads python-m1, python-v1 and so on, each by its key
//
// COSMOS_CONNECTION_STRING names the account. INTEROP_RESULTS may name a folder:
// read then adds a line to the results of the language, READER.jsonl.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

// run does what the arguments say.
func run(ctx context.Context, args []string, out io.Writer) error {
	client, err := azcosmos.NewClientFromConnectionString(os.Getenv("COSMOS_CONNECTION_STRING"), repository.Configure(nil))
	if err != nil {
		return fmt.Errorf("COSMOS_CONNECTION_STRING: %w", err)
	}
	defer client.Close()
	switch {
	case len(args) == 1 && args[0] == "write":
		return write(ctx, client, out)
	case len(args) == 2 && args[0] == "read":
		found, err := read(ctx, client, args[1], out)
		return errors.Join(err, record(os.Getenv("INTEROP_RESULTS"), args[1], found, err))
	}
	return errors.New("usage: keys write, or keys read WRITER")
}

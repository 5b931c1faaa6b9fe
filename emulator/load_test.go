package emulator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// failures is a TB that remembers failures.
type failures struct {
	testing.TB
	text string
}

func (f *failures) Fatalf(format string, args ...any) { f.text += fmt.Sprintf(format, args...) }

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const head = `{"database":"shop","container":{"id":"%s","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}` + "\n"
	orders := write("orders.ndjson", fmt.Sprintf(head, "orders")+`{"id":"1","pk":"a"}`+"\n"+`{"id":"1","pk":"b"}`)
	write("users.ndjson", fmt.Sprintf(head, "users"))
	s := emulator.Load(t, filepath.Join(dir, "*.ndjson"))
	for _, name := range []string{"orders", "users"} {
		c, err := s.Client(nil).NewContainer("shop", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(t.Context(), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := c.ReadItem(t.Context(), azcosmos.NewPartitionKeyString("b"), "1", nil); (err == nil) != (name == "orders") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for file, says := range map[string]string{
		orders:                      "exists already",
		filepath.Join(dir, "none*"): "no file matches",
		write("1", ""):              "the first line is a container",
		write("2", "{\"data\":1}"):  `line 1: json: unknown field "data"`,
		write("3", `{"database":"x"}`+"\n"+`{"id":"1"}`):                                "line 2: the first line has no container",
		write("4", fmt.Sprintf(head, "new")+"\n"+`{"id":"1","pk":"a"}`+"\n"+`{"pk":1}`): "line 4: ",
		write("5", strings.Replace(fmt.Sprintf(head, "new"), `,"version":2`, "", 1)):    `line 1: `,
		write("6", `{"database":"s/t","container":{}}`):                                 `line 1: database: `,
	} {
		if err := s.Load(file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v does not say %q", file, err, says)
		}
	}
	tb := &failures{TB: t}
	emulator.Load(tb, filepath.Join(dir, "4"))
	if !strings.Contains(tb.text, "line 4") {
		t.Errorf("Load with a wrong file fails with %q", tb.text)
	}
}

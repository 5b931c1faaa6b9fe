//go:build unix

package serve

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmulatorOnAFullDisk fills the file of a data folder to the greatest size that the
// system allows. The person who started the emulator is told, requests fail from then on, and
// what was acknowledged is there when there is space again.
func TestEmulatorOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "pkgen-emulator") // by which the binary is the command
	if err := os.Symlink(binary, name); err != nil {
		t.Fatal(err)
	}
	limited := exec.Command("/bin/sh", "-c", `ulimit -f 2048; exec "$0" "$@"`, name, "-http", "-addr", "127.0.0.1:0", "-data", dir)
	p := start(t, limited)
	p.must(t, "POST", "dbs", map[string]string{"id": "d"})
	p.must(t, "POST", "dbs/d/colls", map[string]any{"id": "c", "partitionKey": map[string]any{"paths": []string{"/pk"}, "kind": "Hash", "version": 2}})
	const docs = "dbs/d/colls/c/docs"
	key := []string{"x-ms-documentdb-partitionkey", `["a"]`}
	acknowledged := 0
	for ; acknowledged < 100; acknowledged++ {
		body := map[string]string{"id": fmt.Sprint(acknowledged), "pk": "a", "text": strings.Repeat("x", 50_000)}
		status, _, text, err := p.send("POST", docs, body, key...)
		if err != nil {
			t.Fatal(err)
		}
		if status == http.StatusCreated {
			continue
		}
		if status != http.StatusInternalServerError || !strings.Contains(string(text), "cannot store data any more") {
			t.Errorf("a write: %d %s", status, text)
		}
		break
	}
	if acknowledged == 0 || acknowledged == 100 {
		t.Errorf("%d documents are stored", acknowledged)
	}
	for range 2 {
		if status, _, text, err := p.send("GET", docs+"/0", nil, key...); err != nil || status != http.StatusInternalServerError {
			t.Errorf("a read: %d %s, %v", status, text, err)
		}
	}
	for _, want := range []string{filepath.Join(dir, "emulator.db") + " cannot be written", "file too large", "restart the emulator"} {
		if got := p.says(want); strings.Count(got, want) != 1 {
			t.Errorf("stderr does not say %q once: %s", want, got)
		}
	}
	p.kill()
	http.DefaultClient.CloseIdleConnections()

	p = startEmulator(t, "-data", dir)
	defer p.kill()
	for i := range acknowledged {
		p.must(t, "GET", fmt.Sprintf("%s/%d", docs, i), nil, key...)
	}
	p.must(t, "POST", docs, map[string]string{"id": "more", "pk": "a"}, key...)
}

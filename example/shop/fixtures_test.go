package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// pkgen runs the command on an account, as go tool pkgen-data does here, and returns its exit
// code and what it prints.
func pkgen(t *testing.T, program string, account *emulator.Server, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Env = append(os.Environ(), "COSMOS_CONNECTION_STRING="+account.ConnectionString(), "COSMOS_ENDPOINT=")
	out, err := command.CombinedOutput()
	if err != nil && command.ProcessState.ExitCode() != 1 {
		t.Fatalf("pkgen %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// TestFixtures takes the containers of a shop to another account by files: the shop there
// answers as the first one does, and e-mail addresses are unique there.
func TestFixtures(t *testing.T) {
	program := filepath.Join(t.TempDir(), "pkgen-data")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/cosmos-pkgen/pkgen/cmd/pkgen-data").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c, _, account := serve(t)
	var kept, deleted documents.Order
	c.must("POST", "/customers/eve/orders", "", tea(2), &kept)
	placed := c.must("POST", "/customers/eve/orders", "", tea(3), &deleted)
	c.must("DELETE", "/customers/eve/orders/"+deleted.ID, placed.etag, nil, nil)
	c.must("POST", "/devices/fridge-1/readings", "", `{"id": "r1", "at": "2026-11-22T07:00:00Z", "celsius": 7.5}`, nil)
	for _, email := range []string{"eve@example.com", "ada@example.com", "bob@example.com"} {
		c.must("POST", "/users", "", map[string]string{"email": email, "name": email[:3]}, nil)
	}

	there := emulator.New(t, emulator.Options{Partitions: 3})
	other, s := serveOn(t, there, observer{}) // which makes the containers
	stop := project(t, s)
	file := func(container string) string { return filepath.Join(filepath.Dir(program), container+".ndjson.gz") }
	for container, say := range map[string]string{"orders": " 5 documents", "readings": " 1 document", "users": " 6 documents"} {
		if code, out := pkgen(t, program, account, "dump", "-container", "shop/"+container, "-o", file(container)); code != 0 || !strings.Contains(out, say) {
			t.Errorf("dump: exit code %d, %s", code, out)
		}
		if code, out := pkgen(t, program, there, "load", "-container", "shop/"+container, "-in", file(container)); code != 0 || !strings.Contains(out, say) {
			t.Errorf("load: exit code %d, %s", code, out)
		}
	}

	for _, path := range []string{"/orders/totals", "/customers/eve/orders/" + kept.ID + "/log", "/devices/fridge-1/readings?month=2026-11", "/devices/fridge-1/summary?month=2026-11"} {
		if here, moved := c.must("GET", path, "", nil, nil), other.must("GET", path, "", nil, nil); here.text != moved.text {
			t.Errorf("%s: got %s, want %s", path, moved.text, here.text)
		}
	}
	var here, moved documents.Order
	path := "/customers/eve/orders/" + kept.ID
	c.must("GET", path, "", nil, &here)
	other.must("GET", path, "", nil, &moved)
	if here.ETag, moved.ETag = "", ""; fmt.Sprint(here) != fmt.Sprint(moved) || moved.Version != 1 {
		t.Errorf("got %+v, want %+v", moved, here)
	}
	gone := "/customers/eve/orders/" + deleted.ID
	other.refused("GET", gone, "", nil, http.StatusNotFound, "there is none")
	other.owes("eve", 900)
	other.must("POST", gone+"/restore", "", nil, nil)
	other.owes("eve", 2250)
	stop()

	there.Advance(time.Minute) // what is younger may be under way, and is no finding
	clean := func() (int, string) { return pkgen(t, program, there, "verify", "-database", "shop", "./documents") }
	if code, out := clean(); code != 0 || !strings.Contains(out, "3 reservations") {
		t.Errorf("verify: exit code %d\n%s", code, out)
	}
	var eve documents.User
	other.must("GET", "/users?email=eve@example.com", "", nil, &eve)
	if eve.Name != "eve" {
		t.Errorf("found %+v", eve)
	}
	stranger := client{t, other.url, "fabrikam", "mallory"}
	for _, one := range []client{other, stranger} {
		one.refused("POST", "/users", "", `{"email": "Eve@example.com", "name": "Mallory"}`, http.StatusConflict, "it is there already")
	}
	stranger.must("POST", "/users", "", `{"email": "mallory@example.com", "name": "Mallory"}`, nil)
	if code, out := pkgen(t, program, there, "load", "-container", "shop/users", "-in", file("users"), "-position", "-"); code != 0 { // once more
		t.Errorf("load: exit code %d, %s", code, out)
	}
	there.Advance(time.Minute)
	if code, out := clean(); code != 0 || !strings.Contains(out, "4 reservations") {
		t.Errorf("verify: exit code %d\n%s", code, out)
	}

	// A file that somebody has edited may have an address twice: verify finds it.
	twice := filepath.Join(t.TempDir(), "twice.ndjson")
	if err := os.WriteFile(twice, []byte(`{"id":"u2","tenantId":"fabrikam","email":"eve@example.com","name":"Mallory"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := pkgen(t, program, there, "load", "-container", "shop/users", "-in", twice); code != 0 {
		t.Errorf("load: exit code %d, %s", code, out)
	}
	there.Advance(time.Minute)
	if code, out := clean(); code != 1 || !strings.Contains(out, "not-unique, 1 document") {
		t.Errorf("verify: exit code %d\n%s", code, out)
	}
}

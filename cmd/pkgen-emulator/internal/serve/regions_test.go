package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// TestEmulatorRegions starts an emulator with two regions, and sends a request to each address
// that it prints.
func TestEmulatorRegions(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var stderr lockedBuffer
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"-http", "-addr", "127.0.0.1:0", "-regions", "West Europe, North Europe=localhost:0", "-replication-lag", "2s", "-consistency", "Eventual", "-v"}, in, &stderr)
		_ = in.Close()
	}()
	addresses := map[string]string{}
	for lines := bufio.NewScanner(out); addresses["the account"] == "" && lines.Scan(); {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "region "); ok {
			at := strings.LastIndexByte(text, ' ')
			addresses[text[:at]] = text[at+1:]
		}
		if _, text, ok := strings.Cut(line, "AccountEndpoint="); ok {
			addresses["the account"], _, _ = strings.Cut(text, ";")
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if len(addresses) != 3 {
		t.Errorf("the emulator prints %v: %s", addresses, stderr.String())
	}
	for name, address := range addresses {
		answer, err := http.Get(address)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %s", name, answer.Status)
		}
	}
	for _, region := range []string{"West Europe", "North Europe"} {
		if line := fmt.Sprintf("ReadAccount GET / key= range= region=%q", region); !strings.Contains(stderr.String(), line) {
			t.Errorf("no line %s: %s", line, stderr.String())
		}
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	if code := <-done; code != cli.Done {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

func TestAddressesOfRegions(t *testing.T) {
	addr := func(text string) net.Addr {
		a, err := net.ResolveTCPAddr("tcp", text)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, test := range []struct{ asked, listens, want, endpoint string }{
		{"localhost:8081", "127.0.0.1:8081", "127.0.0.1:8083", "https://127.0.0.1:8081/"},
		{"localhost:0", "127.0.0.1:4000", "127.0.0.1:0", "https://127.0.0.1:4000/"},
		{":8081", "[::]:8081", "[::]:8083", "https://:8081/"},
	} {
		f := &emulatorFlags{addr: test.asked}
		if got := f.following(addr(test.listens), 2); got != test.want {
			t.Errorf("the second region after %s listens on %s, want %s", test.listens, got, test.want)
		}
		if got := regionEndpoint(addr(test.listens)); got != test.endpoint {
			t.Errorf("the endpoint of %s is %s, want %s", test.listens, got, test.endpoint)
		}
	}
	var l regionList
	if err := l.Set(" West Europe=:9000 ,North Europe"); err != nil || l.String() != "West Europe=:9000,North Europe" {
		t.Errorf("%v, %v", l, err)
	}
}

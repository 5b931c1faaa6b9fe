package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// lockedBuffer is a buffer that a server and a test may use at once.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestEmulator(t *testing.T) {
	cert := filepath.Join(t.TempDir(), "new", "emulator.pem")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var stderr lockedBuffer
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"-addr", "127.0.0.1:0", "-compute-gateway", "localhost:0", "-cert", cert, "-v"}, in, &stderr)
		_ = in.Close()
	}()
	var endpoint string
	for lines := bufio.NewScanner(out); endpoint == "" && lines.Scan(); {
		if _, text, ok := strings.Cut(lines.Text(), "AccountEndpoint="); ok {
			endpoint, _, _ = strings.Cut(text, ";")
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()

	text, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		t.Fatalf("no certificate in %s", text)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	answer, err := client.Get(endpoint)
	if err != nil {
		t.Fatalf("%v; the server wrote %s", err, stderr.String())
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("a request without a signature: %s %s, %v", answer.Status, body, err)
	}
	_ = answer.Body.Close()
	client.CloseIdleConnections()

	stop()
	if code := <-done; code != cli.Done {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if !strings.Contains(stderr.String(), "ReadAccount GET / ") {
		t.Errorf("no line for the request: %s", stderr.String())
	}
	if late, err := client.Get(endpoint); err == nil {
		_ = late.Body.Close()
		t.Error("the server still answers")
	}
}

func TestEmulatorRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	cert := filepath.Join(dir, "emulator.pem")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"up"}, "takes no arguments"},
		{[]string{"-data", dir, "dump"}, "dump comes before its flags"},
		{[]string{"-latency", "fast"}, "invalid value"},
		{[]string{"-latency", "-1s"}, "-latency -1s is negative"},
		{[]string{"-partitions", "0"}, "at least one physical partition"},
		{[]string{"-ru", "-400"}, "-ru -400 is negative"},
		{[]string{"-all-versions", "-1h"}, "-all-versions -1h0m0s is negative"},
		{[]string{"-index-lag", "-1s"}, "-index-lag -1s is negative"},
		{[]string{"-regions", "West Europe,"}, "a region has no name"},
		{[]string{"-regions", "West Europe,North Europe", "-replication-lag", "-1s"}, "-replication-lag -1s is negative"},
		{[]string{"-regions", "West Europe", "-multi-write"}, "need several regions"},
		{[]string{"-regions", "West Europe", "-compute-gateway", "localhost:0"}, "leave -regions out"},
		{[]string{"-cert", cert, "-addr", "127.0.0.1:0", "-regions", "West Europe,North Europe", "-data", filepath.Join(dir, "data")}, "in memory only"},
		{[]string{"-cert", cert, "-addr", "127.0.0.1:0", "-consistency", "Linear"}, `level "Linear"`},
		{[]string{"-cert", cert, "-addr", "127.0.0.1:0", "-regions", "West Europe=" + taken.Addr().String()}, "address already in use"},
		{[]string{"-ahead", "-1h"}, "-ahead -1h0m0s is negative"},
		{[]string{"-cert", "", "-addr", "127.0.0.1:0"}, "name a file with -cert"},
		{[]string{"-serverless", "-ru", "400", "-addr", "127.0.0.1:0"}, "leave one of the two out"},
		{[]string{"-cert", filepath.Join(dir, "file", "emulator.pem"), "-addr", "127.0.0.1:0"}, "certificate"},
		{[]string{"-cert", dir, "-addr", "127.0.0.1:0"}, "certificate"},
		{[]string{"-cert", filepath.Join(dir, "emulator.p12"), "-addr", "127.0.0.1:0"}, "name a file that ends in .pem"},
		{[]string{"-cert", cert, "-addr", taken.Addr().String()}, "address already in use"},
		{[]string{"-cert", cert, "-addr", "127.0.0.1:0", "-compute-gateway", taken.Addr().String()}, "address already in use"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), test.args, io.Discard, &stderr); code != cli.Failed || !strings.Contains(stderr.String(), test.says) {
			t.Errorf("%q: exit code %d, %q does not say %q", test.args, code, stderr.String(), test.says)
		}
	}
	if _, err := os.Stat(cert); err == nil {
		t.Error("an emulator that did not start replaced the certificate of one that may be running")
	}
	var help bytes.Buffer
	if code := run(t.Context(), []string{"-h"}, &help, io.Discard); code != cli.Done || !strings.Contains(help.String(), "-compute-gateway") {
		t.Errorf("help: exit code %d, %s", code, help.String())
	}
}

func TestEndpointOf(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:8081": "https://127.0.0.1:8081/", "[::1]:1": "https://[::1]:1/", "0.0.0.0:8081": "", "[::]:8081": "",
	} {
		addr, err := net.ResolveTCPAddr("tcp", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := endpointOf(addr); got != want {
			t.Errorf("endpointOf(%s) = %q, want %q", text, got, want)
		}
		if got := local(addr); want == "" && got != "https://localhost:8081/" || want != "" && got != want {
			t.Errorf("local(%s) = %q", text, got)
		}
	}
}

func TestGCOfASizeOfHeap(t *testing.T) {
	for live, want := range map[uint64]int{0: cli.GCPercent, 12 << 20: cli.GCPercent, 48 << 20: 100, 96 << 20: 50, 1 << 30: growthPercent} {
		if got := gcPercentOf(live); got != want {
			t.Errorf("with %d live bytes GOGC is %d, want %d", live, got, want)
		}
	}
}

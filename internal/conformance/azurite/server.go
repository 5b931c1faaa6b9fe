// Package azurite starts the table server of Azurite, which npm installs at an exact version, and
// runs the conformance suite on it.
package azurite

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/table"
)

// files are the exact versions of Azurite and its dependencies, and the program that starts it.
//
//go:embed npm/package.json npm/package-lock.json npm/start.js
var files embed.FS

var names = []string{"package.json", "package-lock.json", "start.js"}

// account is Azurite's documented account and key.
const (
	account = "devstoreaccount1"
	key     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// Server is a running table server of Azurite, with tables in memory.
type Server struct {
	port string
	cmd  *exec.Cmd
	in   io.Closer
}

// startTime is the time limit for starting a server on a busy machine.
const startTime = 2 * time.Minute

// Open starts a server on a free port. The first call on a machine installs Azurite by npm into the
// user's cache folder, which takes a minute.
func Open() (*Server, error) {
	folder, err := install()
	if err != nil {
		return nil, err
	}
	s := &Server{cmd: exec.Command("node", filepath.Join(folder, "start.js"), "--inMemoryPersistence", "--tableHost", "127.0.0.1", "--tablePort", "0",
		"--silent", "--skipApiVersionCheck", "--disableTelemetry")}
	s.cmd.Dir = folder
	var said strings.Builder
	s.cmd.Stderr = &said
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	port := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if number, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				port <- number
			}
		}
		close(port)
	}()
	select {
	case s.port = <-port:
	case <-time.After(startTime):
	}
	if s.port == "" {
		s.Close()
		return nil, fmt.Errorf("azurite did not start: %s", said.String())
	}
	return s, nil
}

// Close ends the server.
func (s *Server) Close() {
	_ = s.in.Close() // the program ends when its input does
	done := make(chan struct{})
	go func() {
		_ = s.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
		<-done
	}
}

// Address is the server's host and port.
func (s *Server) Address() string { return "127.0.0.1:" + s.port }

// Service returns a client for the server at an address, or for a proxy before it. Change functions
// may edit the client's options.
func Service(t testing.TB, address string, change ...func(*aztables.ClientOptions)) *table.Service {
	t.Helper()
	options := table.Configure(nil)
	for _, f := range change {
		f(options)
	}
	text := fmt.Sprintf("DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;TableEndpoint=http://%s/%s;", account, key, address, account)
	service, err := aztables.NewServiceClientFromConnectionString(text, options)
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// install installs Azurite if necessary, and returns its folder. Concurrent programs install into
// folders of their own, and one is kept.
func install() (string, error) {
	hash := sha256.New()
	for _, name := range names {
		text, err := files.ReadFile("npm/" + name)
		if err != nil {
			return "", err
		}
		_, _ = hash.Write(text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	parent := filepath.Join(cache, "pkgen-tests")
	folder := filepath.Join(parent, fmt.Sprintf("azurite-%x", hash.Sum(nil)[:8]))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	temporary, err := os.MkdirTemp(parent, "installing-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	for _, name := range names {
		text, err := files.ReadFile("npm/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(temporary, name), text, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir = temporary
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci of Azurite: %w\n%s", err, out)
	}
	if err := os.Rename(temporary, folder); err != nil {
		if _, exists := os.Stat(folder); exists != nil {
			return "", err
		}
	}
	return folder, nil
}

package tinkerpop

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/gremlin"
)

// The names of a server's graph, and its key.
const (
	Database = "db"
	Graph    = "graph"
	Password = "a2V5"
)

// Server is a running server.
type Server struct {
	// Address is its host and port.
	Address string
}

// Endpoint returns the URL of the server.
func (s *Server) Endpoint() string { return "ws://" + s.Address + "/gremlin" }

// Run starts a server whose graph has a partition key property. Stop ends it.
func Run(key string) (s *Server, stop func(), err error) {
	folder, err := installed()
	if err != nil {
		return nil, nil, err
	}
	for range 3 { // another program may have taken the port
		if s, stop, err = start(folder, key); err == nil {
			break
		}
	}
	return s, stop, err
}

// Start is Run for one test, and stops the server with it. If the server cannot be installed or
// started, the test fails.
func Start(t testing.TB, key string) *Server {
	t.Helper()
	s, stop, err := Run(key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return s
}

func start(folder, key string) (s *Server, stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	work, err := os.MkdirTemp("", "gremlin-server-")
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(work)
		}
	}()
	for _, name := range []string{"server.yaml", "graph.properties", "init.groovy"} {
		text, err := files.ReadFile("server/" + name)
		if err != nil {
			return nil, nil, err
		}
		filled := strings.NewReplacer("@PORT@", strconv.Itoa(port), "@KEY@", key, "@PASSWORD@", Password).Replace(string(text))
		if err := os.WriteFile(filepath.Join(work, name), []byte(filled), 0o600); err != nil {
			return nil, nil, err
		}
	}
	classes := filepath.Join(folder, "classes") + string(os.PathListSeparator) + filepath.Join(folder, "jars", "*")
	c := exec.Command("java", "-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classes, "org.apache.tinkerpop.gremlin.server.GremlinServer", "server.yaml")
	c.Dir = work
	var said output
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	stop = func() {
		_ = c.Process.Kill()
		<-ended
		_ = os.RemoveAll(work)
	}
	s = &Server{Address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	if err := s.wait(ended); err != nil {
		stop()
		return nil, nil, fmt.Errorf("start Gremlin Server: %w\n%s", err, said.String())
	}
	return s, stop, nil
}

// wait returns when the server answers.
func (s *Server) wait(ended <-chan struct{}) error {
	client, err := gremlin.NewClient(s.Endpoint(), Database, Graph, Password)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for {
		if _, err = client.Submit(ctx, "g.V().limit(1)", nil); err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("its process has ended: %w", err)
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Client returns a client of the server, which is closed with the test.
func (s *Server) Client(t testing.TB, opts ...gremlin.ClientOption) *gremlin.Client {
	t.Helper()
	client, err := gremlin.NewClient(s.Endpoint(), Database, Graph, Password, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// output is what a process prints.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

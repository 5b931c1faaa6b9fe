// Package ferretdb starts FerretDB, a server of MongoDB's protocol, within the process of a test.
// It stores documents in SQLite files.
package ferretdb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// Server is a running FerretDB.
type Server struct {
	// Address is its host and port on this machine.
	Address string

	folder  string
	stop    context.CancelFunc
	stopped chan struct{}
}

// Start starts a server on a free port, with its files in a temporary folder. It returns once the
// server accepts a connection.
func Start() (*Server, error) {
	folder, err := os.MkdirTemp("", "ferretdb")
	if err != nil {
		return nil, err
	}
	// Files of a test need not survive a power failure.
	files := url.URL{Scheme: "file", Opaque: folder + "/", RawQuery: "_pragma=synchronous(off)"}
	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Logger:    slog.New(slog.DiscardHandler),
		Handler:   "sqlite",
		SQLiteURL: files.String(),
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start FerretDB: %w", err), os.RemoveAll(folder))
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{folder: folder, stop: stop, stopped: make(chan struct{})}
	go func() {
		defer close(s.stopped)
		_ = db.Run(ctx) // always nil
	}()
	address, err := url.Parse(db.MongoDBURI())
	if err == nil {
		s.Address = address.Host
		err = answers(s.Address)
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// answers waits until something listens at an address.
func answers(address string) error {
	for end := time.Now().Add(10 * time.Second); ; {
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			return c.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("FerretDB does not listen: %w", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// URI returns a connection string of the server.
func (s *Server) URI() string { return "mongodb://" + s.Address + "/" }

// Stop ends the server and removes its files.
func (s *Server) Stop() error {
	s.stop()
	<-s.stopped
	return os.RemoveAll(s.folder)
}

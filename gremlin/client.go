package gremlin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin/internal/wire"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Numbers of connections of a client.
const (
	defaultConnections = 16
	maxConnections     = 256
)

// Client is connected to one graph. It is safe for concurrent use, and a program needs one per
// graph.
//
// It opens connections on demand, up to 16 or the number of [WithConnections], each for one
// request at a time; further requests wait. A connection that was idle for three minutes is
// closed. A request whose context ends closes its connection.
type Client struct {
	pool  *wire.Pool
	name  string // of the graph, with its database
	local bool   // whether the endpoint is this machine
}

// ClientOption changes how a client works.
type ClientOption func(*wire.Config) error

// WithConnections lets a client open n connections, from 1 to 256.
func WithConnections(n int) ClientOption {
	return func(c *wire.Config) error {
		if n < 1 || n > maxConnections {
			return fmt.Errorf("WithConnections: %d connections: a client has from 1 to %d", n, maxConnections)
		}
		c.Connections = n
		return nil
	}
}

// WithHTTPClient opens connections with an HTTP client, such as one that trusts other
// certificates. It must not have a timeout, which would end connections.
func WithHTTPClient(h *http.Client) ClientOption {
	return func(c *wire.Config) error {
		if h == nil {
			return errors.New("WithHTTPClient: the client is nil: leave the option out")
		}
		c.HTTP = h
		return nil
	}
}

// NewClient returns a client of a graph. It connects on demand. An endpoint is
// wss://ACCOUNT.gremlin.cosmos.azure.com:443/, for example; scheme ws, without encryption, is
// only for this machine. Key is a key of the account.
func NewClient(endpoint, database, graph, key string, opts ...ClientOption) (*Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, errors.New("the endpoint is not a URL: it is such as wss://ACCOUNT.gremlin.cosmos.azure.com:443/")
	}
	local := failure.IsThisMachine(u.Hostname())
	switch {
	case u.Scheme != "wss" && u.Scheme != "ws" || u.Host == "" || u.User != nil:
		return nil, fmt.Errorf("the endpoint has the scheme %q and the host %q: it is such as wss://ACCOUNT.gremlin.cosmos.azure.com:443/", u.Scheme, u.Host)
	case u.Scheme == "ws" && !local:
		return nil, fmt.Errorf("the endpoint at %s is not encrypted, and would get the account's key: use scheme wss", u.Host)
	case database == "" || graph == "" || strings.ContainsAny(database+graph, "/\\?#\x00"):
		return nil, errors.New("the names of the database and of the graph must not be empty, and have none of / \\ ? #")
	case strings.Contains(key, "\x00"):
		return nil, errors.New("the key has a character U+0000: take a key of the account as the portal shows it")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	config := wire.Config{Endpoint: u.String(), User: "/dbs/" + database + "/colls/" + graph, Password: key, Connections: defaultConnections}
	for _, o := range opts {
		if err := o(&config); err != nil {
			return nil, err
		}
	}
	return &Client{wire.NewPool(config), database + "/" + graph, local}, nil
}

// Close closes the connections after running requests have ended, and returns when no goroutine
// of the client runs. Later requests return an error.
func (c *Client) Close() { c.pool.Close() }

// Submit sends a traversal once, and returns its complete results as JSON. It is not repeated.
// Values are bindings: text, bools, integers, floating-point numbers, and []string. Never put
// untrusted text into the traversal itself. Errors are [*documents.Error].
func (c *Client) Submit(ctx context.Context, traversal string, bindings map[string]any) ([]json.RawMessage, error) {
	b := make(wire.Bindings, len(bindings))
	for name, v := range bindings {
		value, err := binding(v)
		if err != nil {
			return nil, fmt.Errorf("submit: binding %s: %w", name, err)
		}
		b[name] = value
	}
	results, err := c.ask(ctx, wire.Request{Traversal: traversal, Bindings: b})
	if err != nil {
		return nil, documents.NewWriteError("submit", "", api.Place{}, err)
	}
	for i, r := range results { // so that one result does not keep the whole response in memory
		results[i] = bytes.Clone(r)
	}
	return results, nil
}

// ask sends a request once, and returns its results, which are parts of one text. An error is a
// *failure.Answer.
func (c *Client) ask(ctx context.Context, r wire.Request) ([]json.RawMessage, error) {
	var results []json.RawMessage
	charge, err := c.pool.Do(ctx, r, func(part []json.RawMessage) error {
		results = append(results, part...)
		return nil
	})
	var dial *wire.DialError
	if err == nil || !errors.As(err, &dial) && !errors.Is(err, wire.ErrClosed) {
		meter.Count(ctx, charge)
	}
	if err != nil {
		return nil, answerOf(err)
	}
	return results, nil
}

package wire

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// conn is a connection to a server. A goroutine reads it while it is open, so that pings are
// answered, and a connection that the server has closed is not used.
type conn struct {
	ws      *websocket.Conn
	answers chan *answer
	stop    context.CancelFunc // ends the reader, and closes the connection
	done    chan struct{}      // closed when the reader has ended
	err     error              // the reason for the end, after done
	used    time.Time          // when the last request ended
}

// dial opens a connection. It does not authenticate: the server asks for that at the first
// request.
func dial(ctx context.Context, endpoint string, client *http.Client, limit int64) (*conn, error) {
	ws, resp, err := websocket.Dial(ctx, endpoint, &websocket.DialOptions{HTTPClient: client})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, &DialError{Status: resp.StatusCode, Err: err}
		}
		return nil, &DialError{Err: err}
	}
	ws.SetReadLimit(limit)
	reading, stop := context.WithCancel(context.Background())
	c := &conn{ws: ws, answers: make(chan *answer), stop: stop, done: make(chan struct{}), used: time.Now()}
	go c.read(reading) //nolint:contextcheck // a connection outlives the request that opens it
	return c, nil
}

// DialError is the reason why a connection could not be opened. Nothing was sent.
type DialError struct {
	Status int // of HTTP, or 0
	Err    error
}

// Error returns the reason.
func (e *DialError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("the server does not open a websocket: HTTP status %d: check the endpoint", e.Status)
	}
	return "no connection to the server: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *DialError) Unwrap() error { return e.Err }

// Untrusted reports whether the program does not trust the server's certificate.
func (e *DialError) Untrusted() bool {
	var bad *tls.CertificateVerificationError
	return errors.As(e.Err, &bad)
}

// read passes on messages until the connection ends.
func (c *conn) read(ctx context.Context) {
	defer close(c.done)
	for {
		_, data, err := c.ws.Read(ctx)
		var a *answer
		if err == nil {
			a, err = decode(data)
		}
		if err != nil {
			c.err = err
			_ = c.ws.CloseNow()
			return
		}
		select {
		case c.answers <- a:
		case <-ctx.Done():
			c.err = ctx.Err()
			_ = c.ws.CloseNow()
			return
		}
	}
}

// close ends the connection, and returns when its goroutine has ended.
func (c *conn) close() {
	c.stop()
	_ = c.ws.CloseNow()
	<-c.done
}

// fresh reports whether an idle connection is still usable: it is open, and the server has
// sent no unrequested message.
func (c *conn) fresh() bool {
	select {
	case <-c.done:
		return false
	case <-c.answers:
		return false
	default:
		return true
	}
}

// BrokenError is the reason why a sent request has no complete answer. The request may have
// taken effect.
type BrokenError struct{ Err error }

// Error returns the reason.
func (e *BrokenError) Error() string {
	return "the connection ended before the answer was complete: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *BrokenError) Unwrap() error { return e.Err }

// do sends a request and passes each part of the answer to part. If usable is false, the
// connection must be closed.
func (c *conn) do(ctx context.Context, id string, request []byte, login func(id string) []byte, part func([]json.RawMessage) error) (charge float64, usable bool, err error) {
	if err := c.ws.Write(ctx, websocket.MessageBinary, request); err != nil {
		return 0, false, c.broken(ctx, err)
	}
	var sum, total float64
	asked := false
	for {
		var a *answer
		select {
		case a = <-c.answers:
		case <-c.done:
			return max(sum, total), false, c.broken(ctx, c.err)
		case <-ctx.Done():
			return max(sum, total), false, c.broken(ctx, ctx.Err())
		}
		if a.id != id && (a.id != "" || a.status.Code < 400) {
			return max(sum, total), false, &BrokenError{malformed("the answer is to another request")}
		}
		sum += a.status.charge
		total = max(total, a.status.total)
		charge := max(sum, total)
		switch a.status.Code {
		case authenticate:
			if asked {
				return charge, false, &a.status
			}
			asked = true
			if err := c.ws.Write(ctx, websocket.MessageBinary, login(id)); err != nil {
				return charge, false, c.broken(ctx, err)
			}
		case success, noContent, partial:
			if err := part(a.data); err != nil {
				return charge, a.last(), err
			}
			if a.last() {
				return charge, true, nil
			}
		default:
			return charge, a.id == id && a.status.Reason() != unauthorized && a.status.Reason() < 1005, &a.status
		}
	}
}

// broken returns the error of a request without a complete answer.
func (c *conn) broken(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		err = cause
	}
	if websocket.CloseStatus(err) == websocket.StatusMessageTooBig || errors.Is(err, websocket.ErrMessageTooBig) {
		err = fmt.Errorf("%w: a part of the answer is longer than %d MB", ErrTooLarge, readLimit>>20)
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &BrokenError{err}
}

// ErrTooLarge is matched by the error of an answer that exceeds the read limit.
var ErrTooLarge = errors.New("the answer is too large: request less at a time")

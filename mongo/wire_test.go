package mongo

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// fake is a server of MongoDB's protocol that answers as a test wants: as an account of
// Cosmos DB, as a cluster with shards, or not at all.
type fake struct {
	listener net.Listener
	answer   func(name string, command bson.Raw) any // nil breaks the connection
	sessions bool                                    // it says that it has sessions, and so repeatable writes
	twice    string                                  // the command that it gets twice, and answers twice

	mu       sync.Mutex
	commands []string // besides those of connections
	conns    map[net.Conn]bool
	closed   bool
	wait     sync.WaitGroup
}

// serve starts a fake. Commands of connections are answered by itself.
func serve(t testing.TB, answer func(name string, command bson.Raw) any) *fake {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{listener: listener, answer: answer, conns: map[net.Conn]bool{}}
	f.wait.Go(f.accept)
	t.Cleanup(f.stop)
	return f
}

func (f *fake) accept() {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			return
		}
		f.mu.Lock()
		if f.closed {
			f.mu.Unlock()
			_ = conn.Close()
			return
		}
		f.conns[conn] = true
		f.wait.Go(func() { f.talk(conn) })
		f.mu.Unlock()
	}
}

func (f *fake) stop() {
	f.mu.Lock()
	f.closed = true
	_ = f.listener.Close()
	for conn := range f.conns {
		_ = conn.Close()
	}
	f.mu.Unlock()
	f.wait.Wait()
}

// connect returns a database of the fake.
func (f *fake) connect(t testing.TB, configure func(*options.ClientOptions) *options.ClientOptions) *Database {
	t.Helper()
	o := options.Client().ApplyURI("mongodb://" + f.listener.Addr().String()).SetServerSelectionTimeout(2 * time.Second)
	client, err := driver.Connect(configure(o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := client.Disconnect(ctx); err != nil {
			t.Error(err)
		}
	})
	return client.Database("d")
}

// seen returns the commands since the last call.
func (f *fake) seen() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := f.commands
	f.commands = nil
	return names
}

func (f *fake) talk(conn net.Conn) {
	defer func() {
		f.mu.Lock()
		delete(f.conns, conn)
		f.mu.Unlock()
		_ = conn.Close()
	}()
	for {
		id, query, command, err := receive(conn)
		if err != nil {
			return
		}
		elements, err := command.Elements()
		if err != nil || len(elements) == 0 {
			return
		}
		var reply any
		switch name := elements[0].Key(); name {
		case "hello", "isMaster", "ismaster":
			if database, _ := lookup(command, "$db"); database != "admin" && !query {
				reply = f.answer(name, command)
				break
			}
			hello := bson.D{
				{Key: "ismaster", Value: true}, {Key: "helloOk", Value: true}, {Key: "maxBsonObjectSize", Value: 16 << 20},
				{Key: "maxMessageSizeBytes", Value: 48_000_000}, {Key: "maxWriteBatchSize", Value: 100_000},
				{Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 21}, {Key: "ok", Value: 1},
			}
			if f.sessions {
				hello = append(hello, bson.E{Key: "msg", Value: "isdbgrid"}, bson.E{Key: "logicalSessionTimeoutMinutes", Value: 30})
			}
			reply = hello
		case "endSessions", "killCursors":
			reply = bson.D{{Key: "ok", Value: 1}}
		default:
			f.mu.Lock()
			f.commands = append(f.commands, name)
			f.mu.Unlock()
			reply = f.answer(name, command)
		}
		if w, ok := command.Lookup("writeConcern", "w").AsInt64OK(); ok && w == 0 && reply != nil {
			continue // nobody reads an answer
		}
		if reply == nil || send(conn, id, query, reply) != nil {
			return
		}
		if elements[0].Key() == f.twice && send(conn, id, query, f.answer(f.twice, command)) != nil {
			return
		}
	}
}

// receive reads a command: an OP_MSG, or the OP_QUERY with which a connection begins.
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
func receive(r io.Reader) (id uint32, query bool, command bson.Raw, err error) {
	head := make([]byte, 16)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, false, nil, err
	}
	id = binary.LittleEndian.Uint32(head[4:])
	body := make([]byte, binary.LittleEndian.Uint32(head)-16)
	if _, err := io.ReadFull(r, body); err != nil {
		return 0, false, nil, err
	}
	switch binary.LittleEndian.Uint32(head[12:]) {
	case 2004:
		name := bytes.IndexByte(body[4:], 0)
		command, err = bson.ReadDocument(bytes.NewReader(body[4+name+1+8:]))
		return id, true, command, err
	case 2013:
	default:
		return 0, false, nil, errors.New("an operation that is not known")
	}
	out := []byte{0, 0, 0, 0} // the length
	for rest := body[4:]; len(rest) > 0; {
		kind, size := rest[0], int(binary.LittleEndian.Uint32(rest[1:]))
		section := rest[1 : 1+size]
		rest = rest[1+size:]
		if kind == 0 {
			out = append(out, section[4:size-1]...)
			continue
		}
		end := bytes.IndexByte(section[4:], 0)
		var list bson.A
		for docs := section[4+end+1:]; len(docs) > 0; {
			doc, err := bson.ReadDocument(bytes.NewReader(docs))
			if err != nil {
				return 0, false, nil, err
			}
			list, docs = append(list, doc), docs[len(doc):]
		}
		raw, err := bson.Marshal(bson.D{{Key: string(section[4 : 4+end]), Value: list}})
		if err != nil {
			return 0, false, nil, err
		}
		out = append(out, raw[4:len(raw)-1]...)
	}
	return id, false, end(out), nil
}

func send(w io.Writer, id uint32, query bool, reply any) error {
	doc, err := bson.Marshal(reply)
	if err != nil {
		return fmt.Errorf("the answer of a test: %w", err)
	}
	var b bytes.Buffer
	put := func(values ...uint32) {
		for _, v := range values {
			b.Write(binary.LittleEndian.AppendUint32(nil, v))
		}
	}
	if query { // an OP_REPLY
		put(uint32(36+len(doc)), 1, id, 1, 0, 0, 0, 0, 1)
	} else {
		put(uint32(21+len(doc)), 1, id, 2013, 0)
		b.WriteByte(0)
	}
	b.Write(doc)
	_, err = w.Write(b.Bytes())
	return err
}

// failed is an answer with a code.
func failed(code int, text string) bson.D {
	return bson.D{{Key: "ok", Value: 0}, {Key: "code", Value: code}, {Key: "errmsg", Value: text}}
}

// refusedWrite is an answer to a write with a code, in the way of servers.
func refusedWrite(code int, text string) bson.D {
	return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 0}, {Key: "writeErrors", Value: bson.A{
		bson.D{{Key: "index", Value: 0}, {Key: "code", Value: code}, {Key: "errmsg", Value: text}},
	}}}
}

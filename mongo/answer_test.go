package mongo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// secret is in each document: no error's text has it.
const secret = "s3cret"

func one() *thing { return &thing{ID: "1", Site: "a"} }

// TestCodes has the server answer each operation with a code once, or for ever.
func TestCodes(t *testing.T) {
	throttled := "Message: " + secret + " Error=16500, RetryAfterMs=3, Details='Response status code: TooManyRequests (429)'"
	for name, test := range map[string]struct {
		code    int
		text    string
		times   int // how often; 0 is for ever
		want    error
		unclear bool
		sent    int // least attempts of a read
	}{
		"throttled once":     {16500, throttled, 1, nil, false, 2},
		"throttled always":   {16500, throttled, 0, documents.ErrThrottled, false, 10},
		"unauthorized":       {13, "not authorized: " + secret, 0, errAny, false, 1},
		"timed out once":     {50, "Request timed out. " + secret, 1, nil, false, 2},
		"timed out always":   {50, "Request timed out. " + secret, 0, errAny, true, 3},
		"too large":          {16, "Request size is too large: " + secret, 0, documents.ErrTooLarge, false, 1},
		"too large here":     {10334, "BSONObj size " + secret, 0, documents.ErrTooLarge, false, 1},
		"no primary, once":   {10107, "not master", 1, nil, false, 2},
		"write conflict":     {112, "WriteConflict", 1, nil, false, 2},
		"a code not known":   {2, "BadValue " + secret, 0, errAny, false, 1},
		"shutting down once": {11600, "interrupted at shutdown", 1, nil, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := new(shards)
			var left atomic.Int64
			writes := atomic.Bool{}
			fake := serve(t, func(name string, command bson.Raw) any {
				if left.Add(-1) >= 0 {
					if writes.Load() && test.code != 13 {
						return refusedWrite(test.code, test.text)
					}
					return failed(test.code, test.text)
				}
				return store.answer(name, command)
			})
			docs := New(fake.connect(t, Configure), "things", thingModel())
			ctx := context.Background()
			if err := docs.Create(ctx, one()); err != nil {
				t.Fatal(err)
			}
			for op, f := range operations(docs) {
				writes.Store(op != "get" && op != "all" && op != "page" && op != "count")
				times := int64(test.times)
				if times == 0 {
					times = 1 << 40
				}
				left.Store(times)
				fake.seen()
				var meter documents.Meter
				err := f(documents.WithMeter(ctx, &meter))
				left.Store(0)
				sent := len(fake.seen())
				check(t, op, err, test.want, test.unclear && writes.Load())
				if !writes.Load() && sent < test.sent || meter.Requests() < sent || meter.Retries() != meter.Requests()-1 {
					t.Errorf("%s: %d attempts, want %d; the meter has %d and %d", op, sent, test.sent, meter.Requests(), meter.Retries())
				}
			}
		})
	}
}

var errAny = errors.New("some error")

// operations are those on a document that is there and, by upsert, is there again.
func operations(docs *Documents[thing, thingKey]) map[string]func(context.Context) error {
	all := NewQuery(docs, generated.Partition("site-a"))
	return map[string]func(context.Context) error{
		"get":    func(ctx context.Context) error { _, err := docs.Get(ctx, thingKey{"a", "1"}); return err },
		"upsert": func(ctx context.Context) error { return docs.Upsert(ctx, one()) },
		"all":    func(ctx context.Context) error { _, err := all.Collect(ctx); return err },
		"page":   func(ctx context.Context) error { _, err := all.Page(ctx, "", 3); return err },
		"count":  func(ctx context.Context) error { _, err := all.Count(ctx); return err },
	}
}

func check(t *testing.T, op string, err, want error, unclear bool) {
	t.Helper()
	if want == nil && err == nil {
		return
	}
	if want == nil || err == nil || want != errAny && !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", op, err, want)
		return
	}
	if errors.Is(err, documents.ErrUnclear) != unclear {
		t.Errorf("%s: unclear is %v: %v", op, !unclear, err)
	}
	if strings.Contains(err.Error(), secret) {
		t.Errorf("%s: the error tells what the server quotes: %v", op, err)
	}
	var own *documents.Error
	if !errors.As(err, &own) || own.Type != "thing" {
		t.Errorf("%s: a %T", op, err)
	}
}

// TestBrokenConnections breaks the connection before or after a write takes effect, once
// or always. After the last attempt, the outcome is unclear; so it is if a version was
// replaced, perhaps by the first attempt.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	type repository = *Documents[thing, thingKey]
	for name, f := range map[string]func(context.Context, repository, *thing) error{
		"create": func(ctx context.Context, docs repository, _ *thing) error {
			return docs.Create(ctx, &thing{ID: "new", Site: "a"})
		},
		"upsert": func(ctx context.Context, docs repository, _ *thing) error { return docs.Upsert(ctx, one()) },
		"delete": func(ctx context.Context, docs repository, _ *thing) error {
			return docs.Delete(ctx, thingKey{"a", "1"})
		},
		"replace": func(ctx context.Context, docs repository, doc *thing) error { return docs.Replace(ctx, doc) },
	} {
		for _, after := range []bool{false, true} {
			for _, times := range []int64{1, 1 << 40} {
				t.Run(fmt.Sprint(name, ", after ", after, ", once ", times == 1), func(t *testing.T) {
					t.Parallel()
					store := new(shards)
					var left atomic.Int64
					fake := serve(t, func(name string, command bson.Raw) any {
						if left.Add(-1) < 0 {
							return store.answer(name, command)
						}
						if after {
							store.answer(name, command)
						}
						return nil
					})
					ctx := context.Background()
					docs := New(fake.connect(t, Configure), "things", thingModel())
					doc := one()
					if err := docs.Create(ctx, doc); err != nil {
						t.Fatal(err)
					}
					left.Store(times)
					err := f(ctx, docs, doc)
					unclear := times > 1 || after && name == "replace"
					if unclear != errors.Is(err, documents.ErrUnclear) || !unclear && err != nil {
						t.Errorf("got %v", err)
					}
				})
			}
		}
	}
}

// TestWriteConcernNotMet has writes that take effect on the server that answers, and
// which the others do not confirm: once, or always. The code tells nothing more, not even
// one that means elsewhere that nothing was done.
func TestWriteConcernNotMet(t *testing.T) {
	t.Parallel()
	for _, code := range []int{64, 100, codeNotPrimary, codeThrottled, 0} {
		for _, times := range []int64{1, 1 << 40} {
			t.Run(fmt.Sprint("code ", code, ", once ", times == 1), func(t *testing.T) {
				t.Parallel()
				writeConcernNotMet(t, code, times)
			})
		}
	}
}

func writeConcernNotMet(t *testing.T, code int, times int64) {
	t.Helper()
	store := new(shards)
	var left atomic.Int64
	docs := New(serve(t, func(name string, command bson.Raw) any {
		answer := store.answer(name, command)
		if d, ok := answer.(bson.D); ok && name != "find" && left.Add(-1) >= 0 {
			return append(d, bson.E{Key: "writeConcernError", Value: bson.D{{Key: "code", Value: code}, {Key: "errmsg", Value: "waiting for replication timed out: " + secret}}})
		}
		return answer
	}).connect(t, Configure), "things", thingModel())
	ctx := context.Background()
	doc := one()
	for _, step := range []struct {
		name    string
		run     func() error
		unclear bool
	}{
		{"create", func() error { return docs.Create(ctx, doc) }, false}, // it finds its own document
		{"upsert", func() error { return docs.Upsert(ctx, doc) }, times > 1},
		{"get", func() (err error) { doc, err = docs.Get(ctx, thingKey{"a", "1"}); return err }, false},
		{"replace", func() error { return docs.Replace(ctx, doc) }, true}, // perhaps by its first attempt
		{"delete", func() error { return docs.Delete(ctx, thingKey{"a", "1"}) }, times > 1},
	} {
		left.Store(times)
		err := step.run()
		if step.unclear != errors.Is(err, documents.ErrUnclear) || !step.unclear && err != nil {
			t.Errorf("%s: got %v", step.name, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error tells what the server says: %v", step.name, err)
		}
	}
	if len(store.docs) != 0 {
		t.Error("the document is still there")
	}
}

// TestNoAnswers has a client whose write concern asks for no answers: the first write is
// sent once, and nobody knows its outcome. No other write is sent, and reads are.
func TestNoAnswers(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(context.Context, *Documents[thing, thingKey]) error{
		"create": func(ctx context.Context, docs *Documents[thing, thingKey]) error { return docs.Create(ctx, one()) },
		"upsert": func(ctx context.Context, docs *Documents[thing, thingKey]) error { return docs.Upsert(ctx, one()) },
		"replace": func(ctx context.Context, docs *Documents[thing, thingKey]) error {
			return docs.Replace(ctx, &thing{ID: "1", Site: "a", ETag: "v"})
		},
		"delete": func(ctx context.Context, docs *Documents[thing, thingKey]) error {
			return docs.Delete(ctx, thingKey{"a", "1"})
		},
	} {
		fake := serve(t, new(shards).answer)
		docs := New(fake.connect(t, func(o *options.ClientOptions) *options.ClientOptions {
			return Configure(o.SetWriteConcern(writeconcern.Unacknowledged()))
		}), "things", thingModel())
		var meter documents.Meter
		ctx := documents.WithMeter(context.Background(), &meter)
		err := write(ctx, docs)
		if !errors.Is(err, documents.ErrUnclear) || !strings.Contains(err.Error(), "w=majority") || meter.Requests() != 1 {
			t.Errorf("%s: %d requests, %v", name, meter.Requests(), err)
		}
		if err := docs.Upsert(ctx, one()); err == nil || errors.Is(err, documents.ErrUnclear) || !strings.Contains(err.Error(), "w=majority") || meter.Requests() != 1 {
			t.Errorf("after %s: %d requests, %v", name, meter.Requests(), err)
		}
		if _, err := docs.Get(ctx, thingKey{"b", "2"}); !errors.Is(err, documents.ErrNotFound) {
			t.Errorf("after %s: got %v", name, err)
		}
	}
}

// TestCreateMeetsAnother breaks the connection after another document has taken the id.
func TestCreateMeetsAnother(t *testing.T) {
	t.Parallel()
	store := new(shards)
	broken := false
	docs := New(serve(t, func(name string, command bson.Raw) any {
		if name == "insert" && !broken {
			broken = true
			n := 4
			other := &thing{ID: "1", Site: "a", Speed: &n}
			c, err := newCodec(thingModel())
			if err != nil {
				t.Error(err)
			}
			raw, err := c.encode(place("site-a", "1"), other, "v")
			if err != nil {
				t.Error(err)
			}
			store.docs = append(store.docs, raw)
			return nil
		}
		return store.answer(name, command)
	}).connect(t, Configure), "things", thingModel())
	if err := docs.Create(context.Background(), one()); !errors.Is(err, documents.ErrAlreadyExists) {
		t.Errorf("got %v", err)
	}
}

// TestGetMoreFails ends a query in the middle by an error.
func TestGetMoreFails(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]any{"a code": failed(43, "cursor not found"), "throttled": failed(16500, "RetryAfterMs=1"), "broken": nil} {
		store := new(shards)
		docs := New(serve(t, func(name string, command bson.Raw) any {
			if name == "getMore" {
				return answer
			}
			return store.answer(name, command)
		}).connect(t, Configure), "things", thingModel(), documents.WithPageSize(2))
		ctx := context.Background()
		for _, id := range []string{"1", "2", "3"} {
			if err := docs.Create(ctx, &thing{ID: id, Site: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		var last error
		for _, err := range NewQuery(docs, generated.Partition("site-a")).All(ctx) {
			if last = err; err == nil {
				n++
			}
		}
		if n != 2 || last == nil {
			t.Errorf("%s: %d documents, and %v", name, n, last)
		}
		if found, err := NewQuery(docs, generated.Partition("site-a")).Collect(ctx); err == nil || found != nil {
			t.Errorf("%s: collected %d, %v", name, len(found), err)
		}
	}
}

// TestUnreachable has nothing listen: nothing is unclear.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	fake := serve(t, new(shards).answer)
	docs := New(fake.connect(t, func(o *options.ClientOptions) *options.ClientOptions {
		return Configure(o.SetServerSelectionTimeout(300 * time.Millisecond))
	}), "things", thingModel())
	fake.stop()
	if err := docs.Create(context.Background(), one()); err == nil || errors.Is(err, documents.ErrUnclear) {
		t.Errorf("got %v", err)
	}
}

// TestContextEnds ends the context while the server is silent.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	defer close(silent)
	docs := New(serve(t, func(string, bson.Raw) any { <-silent; return nil }).connect(t, Configure), "things", thingModel())
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if err := docs.Create(ctx, one()); !errors.Is(err, documents.ErrUnclear) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"Error=16500, RetryAfterMs=34, Details='": 34 * time.Millisecond, "": 0, "RetryAfterMs=": 0, "RetryAfterMs=x": 0,
		"RetryAfterMs=99999999999999999999": 9999999 * time.Millisecond,
	} {
		if got := retryAfter(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestUnconfigured has a client without Configure: what was sent is not known, so that
// nothing is claimed to be unsent.
func TestUnconfigured(t *testing.T) {
	s := new(sends)
	err := s.one(context.Background(), func(context.Context) error {
		return driver.CommandError{Labels: []string{"NetworkError"}, Wrapped: io.EOF}
	})
	if a := answerOf(t, err); !a.Unanswered || a.Unsent {
		t.Errorf("got %+v", a)
	}
}

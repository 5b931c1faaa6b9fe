package table_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// batches is a server that keeps which keys are stored, and takes batches of creations,
// upserts and deletions, and those alone.
type batches struct {
	mu     sync.Mutex
	rows   map[string]string // entities, by partition key and row key
	lose   int               // of so many batches, the answers are lost
	sizes  []int             // of the batches: operations
	bodies []int             // their bytes
}

var (
	operation = regexp.MustCompile(`(?m)^(POST|PUT|DELETE) (\S+) HTTP/1.1`)
	inURL     = regexp.MustCompile(`\(PartitionKey='(.*)',RowKey='(.*)'\)`)
	inBody    = regexp.MustCompile(`"PartitionKey":"([^"]*)","RowKey":"([^"]*)"`)
)

func (b *batches) answer(_ int, s sent) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !strings.HasSuffix(s.path, "batch") {
		row := rowOf(s.path, s.body)
		if s.method == "GET" {
			if entity, there := b.rows[row]; there {
				return reply(200, entity, "ETag", "W/\"old\""), nil
			}
			return failed(404, "ResourceNotFound"), nil
		}
		if status, code := b.apply(s.method, row, s.body); status != 204 {
			return failed(status, code), nil
		}
		return reply(204, "", "ETag", "W/\"alone\""), nil
	}
	before := maps.Clone(b.rows)
	at := operation.FindAllStringSubmatchIndex(s.body, -1)
	b.sizes, b.bodies = append(b.sizes, len(at)), append(b.bodies, len(s.body))
	var parts []string
	seen := map[string]bool{}
	for i, m := range at {
		text := s.body[m[0]:]
		if i+1 < len(at) {
			text = s.body[m[0]:at[i+1][0]]
		}
		entity := ""
		if begin := strings.Index(text, "{"); begin >= 0 {
			entity = text[begin : strings.LastIndex(text, "}")+1]
		}
		row := rowOf(s.body[m[4]:m[5]], entity)
		if seen[row] {
			return failed(400, "InvalidDuplicateRow"), nil
		}
		seen[row] = true
		if status, code := b.apply(s.body[m[2]:m[3]], row, entity); status != 204 {
			b.rows = before
			return changeset(refused(status, code, fmt.Sprint(i, ":secret"))), nil
		}
		parts = append(parts, stored("W/\"together\""))
	}
	if b.lose > 0 {
		b.lose--
		return nil, errors.New("connection reset")
	}
	return changeset(parts...), nil
}

// rowOf returns the keys of an entity from its address or its text.
func rowOf(address, entity string) string {
	if plain, err := url.PathUnescape(address); err == nil {
		if m := inURL.FindStringSubmatch(plain); m != nil {
			return m[1] + "/" + m[2]
		}
	}
	m := inBody.FindStringSubmatch(entity)
	if m == nil {
		return ""
	}
	return m[1] + "/" + m[2]
}

func (b *batches) apply(method, row, entity string) (status int, code string) {
	_, there := b.rows[row]
	switch {
	case row == "":
		return 400, "InvalidInput"
	case method == "POST" && there:
		return 409, "EntityAlreadyExists"
	case method == "DELETE" && !there:
		return 404, "ResourceNotFound"
	case method == "DELETE":
		delete(b.rows, row)
	default:
		b.rows[row] = entity
	}
	return 204, ""
}

// manyEvents are events of 10 devices.
func manyEvents(n int) []*event {
	all := make([]*event, n)
	for i := range all {
		all[i] = sample(i)
		all[i].ID, all[i].Device = fmt.Sprint("e", i), fmt.Sprint("d", i%10)
	}
	return all
}

func keysOf(all []*event) iter.Seq[eventKey] {
	return func(yield func(eventKey) bool) {
		for _, e := range all {
			if !yield(e.Key()) {
				return
			}
		}
	}
}

func TestBulkInBatches(t *testing.T) {
	b := &batches{rows: map[string]string{}}
	docs, f := repo(t, b.answer)
	all := manyEvents(1000)
	requests := func(do func() (documents.Summary, error)) (documents.Summary, int, error) {
		before := len(f.all)
		s, err := do()
		return s, len(f.all) - before, err
	}
	s, n, err := requests(func() (documents.Summary, error) {
		return docs.CreateAll(documents.Items(all...), documents.InBatches()).Collect(ctx)
	})
	if err != nil || s != (documents.Summary{Items: 1000}) || n != 10 || len(b.rows) != 1000 {
		t.Fatalf("create: %+v, %v, %d requests", s, err, n)
	}
	for i, e := range all {
		if e.ETag != "W/\"together\"" || e.Stored != e.Device {
			t.Fatalf("event %d is %+v", i, e)
		}
	}
	s, n, err = requests(func() (documents.Summary, error) {
		return docs.UpsertAll(documents.Items(all...), documents.InBatches()).Collect(ctx)
	})
	if err != nil || s.Failed != 0 || n != 10 {
		t.Errorf("upsert: %+v, %v, %d requests", s, err, n)
	}
	delete(b.rows, "d3/e3")
	s, n, err = requests(func() (documents.Summary, error) {
		return docs.DeleteAll(documents.Sequence(keysOf(all)), documents.InBatches()).Collect(ctx)
	})
	if !errors.Is(err, documents.ErrNotFound) || s.Items != 1000 || s.Failed != 1 || s.NotFound != 1 || n != 12 || len(b.rows) != 0 {
		t.Errorf("delete: %+v, %v, %d requests, %d are left", s, err, n, len(b.rows))
	}
	s, n, err = requests(func() (documents.Summary, error) { return docs.CreateAll(documents.Items(all...)).Collect(ctx) })
	if err != nil || s.Failed != 0 || n != 1000 {
		t.Errorf("without batches: %+v, %v, %d requests", s, err, n)
	}
	for _, size := range b.sizes {
		if size > 100 {
			t.Errorf("a batch of %d", size)
		}
	}
}

// TestOneInTheWay stores documents, and one is there already: the others are stored, and it
// has the error.
func TestOneInTheWay(t *testing.T) {
	b := &batches{rows: map[string]string{"d0/e50": `{"PartitionKey":"d0","RowKey":"e50"}`}}
	docs, f := repo(t, b.answer)
	all := manyEvents(1000)
	for o := range docs.CreateAll(documents.Items(append(all, all[7])...), documents.InBatches()).All(ctx) {
		second := o.Index == 50 || o.Index == 1000
		if second != errors.Is(o.Err, documents.ErrAlreadyExists) || second != (o.Err != nil) {
			t.Errorf("outcome %d: %v", o.Index, o.Err)
		}
		var e *documents.Error
		if o.Index == 50 && (!errors.As(o.Err, &e) || e.ID != "e50" || e.PartitionKey != `"d0"` || e.Op != "create" || errors.Is(o.Err, documents.ErrUnclear)) {
			t.Errorf("outcome %d: %+v", o.Index, o.Err)
		}
	}
	if len(b.rows) != 1000 || len(f.all) != 10+2+1+2 { // and a read of each that is in the way
		t.Errorf("%d rows, %d requests", len(b.rows), len(f.all))
	}
}

// TestLostBatches loses the answers to batches that have taken effect.
func TestLostBatches(t *testing.T) {
	for lost := 1; lost <= 3; lost++ {
		b := &batches{rows: map[string]string{}, lose: lost}
		docs, f := repo(t, b.answer, documents.WithConcurrency(1))
		all := manyEvents(100)
		s, err := docs.CreateAll(documents.Items(all...), documents.InBatches()).Collect(ctx)
		if err != nil || s.Failed != 0 || len(b.rows) != 100 {
			t.Errorf("%d lost: %+v, %v, %d rows", lost, s, err, len(b.rows))
		}
		// Each lost batch is sent again and refused, and then each of its 10 documents is
		// sent, refused, and read.
		if want := 10 + lost*(1+20); len(f.all) != want {
			t.Errorf("%d lost: %d requests, want %d", lost, len(f.all), want)
		}
		for _, e := range all {
			if e.ETag == "" {
				t.Errorf("%s has no version", e.ID)
			}
		}
		b.lose = lost
		if s, err := docs.UpsertAll(documents.Items(all...), documents.InBatches()).Collect(ctx); err != nil || s.Failed != 0 {
			t.Errorf("%d lost: upsert: %+v, %v", lost, s, err)
		}
		b.lose = lost
		if s, err := docs.DeleteAll(documents.Sequence(keysOf(all)), documents.InBatches()).Collect(ctx); err != nil || s.Failed != 0 || len(b.rows) != 0 {
			t.Errorf("%d lost: delete: %+v, %v, %d rows", lost, s, err, len(b.rows))
		}
	}
}

// TestSizeOfBatches checks that no batch is over 2 MB, with keys that take three times
// their bytes in addresses.
func TestSizeOfBatches(t *testing.T) {
	b := &batches{rows: map[string]string{}}
	docs, _ := repo(t, b.answer)
	for name, fill := range map[string]func(e *event, i int){
		"large": func(e *event, _ int) { e.Raw = make([]byte, 60_000) },
		"small": func(*event, int) {},
		"keys":  func(e *event, i int) { e.ID, e.Name, e.Raw = strings.Repeat("é", 80)+fmt.Sprint(i), "", nil },
		"mixed": func(e *event, i int) { e.Raw = make([]byte, i%61*1000) },
	} {
		clear(b.rows)
		b.sizes, b.bodies = nil, nil
		all := manyEvents(150)
		for i, e := range all {
			e.ID, e.Device = fmt.Sprint(name, i), "d"
			fill(e, i)
		}
		if s, err := docs.UpsertAll(documents.Items(all...), documents.InBatches()).Collect(ctx); err != nil || s.Failed != 0 || len(b.rows) != 150 {
			t.Errorf("%s: %+v, %v, %d rows", name, s, err, len(b.rows))
		}
		if largest := slices.Max(b.bodies); largest > 2_000_000 || name == "large" && largest < 1_500_000 || name != "large" && name != "mixed" && slices.Max(b.sizes) != 100 {
			t.Errorf("%s: batches of %v operations and %v bytes", name, b.sizes, b.bodies)
		}
	}
}

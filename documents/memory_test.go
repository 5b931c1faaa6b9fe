package documents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// note is a document whose keys can collide: topic "a" and title "b-c" make the partition
// key of "a-b" and "c".
type note struct {
	ID, Topic, Title string
	Text             string
	Stored, ETag     string
}

type noteKey struct {
	ID, Topic, Title string
	Suffix           int // of random notes
}

func (k noteKey) Validate() error {
	checks := []partition.Component{partition.ID(k.ID), partition.Text("Topic", k.Topic)}
	if k.Suffix != 0 {
		checks = append(checks, partition.RandomSuffix("Suffix", k.Suffix, buckets))
	}
	return partition.Check("note", checks...)
}

const buckets = 400

// collidingNotes are notes of the key {topic}-{title}.
func collidingNotes() *generated.Model[note, noteKey] {
	// By hand: the same type has three layouts.
	return &generated.Model[note, noteKey]{
		Type: "note", Path: "/partitionKey", Synthetic: true, Ambiguous: true,
		Key:    func(n *note) noteKey { return noteKey{ID: n.ID, Topic: n.Topic, Title: n.Title} },
		ID:     func(k noteKey) string { return k.ID },
		Text:   func(k noteKey) string { return k.Topic + "-" + k.Title },
		Stored: func(n *note) *string { return &n.Stored },
		ETag:   func(n *note) *string { return &n.ETag },
		Same:   func(a, b noteKey) bool { return a.Topic == b.Topic && a.Title == b.Title },
	}
}

// plainNotes are notes of the key {topic}.
func plainNotes() *generated.Model[note, noteKey] {
	m := collidingNotes()
	m.Ambiguous, m.Same = false, nil
	m.Key = func(n *note) noteKey { return noteKey{ID: n.ID, Topic: n.Topic} }
	m.Text = func(k noteKey) string { return k.Topic }
	return m
}

// randomNotes are notes of the key {topic}.{*%400}.
func randomNotes() *generated.Model[note, noteKey] {
	m := plainNotes()
	m.Key = func(n *note) noteKey {
		return noteKey{ID: n.ID, Topic: n.Topic, Suffix: partition.Suffix(n.Stored, ".", buckets)}
	}
	m.Text = func(k noteKey) string {
		if k.Suffix == 0 {
			return ""
		}
		return k.Topic + "." + strconv.Itoa(k.Suffix)
	}
	m.Random = &generated.Random[noteKey]{Buckets: buckets, Suffix: func(k *noteKey) *int { return &k.Suffix }}
	return m
}

// memory is a driver that keeps documents in a map, and may fail.
type memory struct {
	mu       sync.Mutex
	docs     map[api.Place]api.Stored[note]
	written  map[api.Place]time.Time
	versions int

	sent, reads int
	applied     []string // the effects of the writes
	hit         func(found note, op string)

	// fault says how a request fails: before and after its effect. Nil is not at all.
	fault func(op string, at api.Place) (before, after *failure.Answer)

	// twice says which writes a proxy repeats: the second answer comes back. Nil repeats no write.
	twice func(op string) bool

	// between is called before each request takes effect.
	between func(m *memory, at api.Place)
}

func newMemory() *memory {
	return &memory{docs: map[api.Place]api.Stored[note]{}, written: map[api.Place]time.Time{}}
}

func collectionOf(m *generated.Model[note, noteKey], d api.Driver[note]) *Collection[note, noteKey] {
	return New(api.Container[note, noteKey]{Model: m, Driver: d, ID: m.ID, Name: "notes", Settings: api.NewSettings()})
}

// request runs one request under its faults.
func (m *memory) request(ctx context.Context, op string, at api.Place, do func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent++
	meter.Count(ctx, 1)
	var before, after *failure.Answer
	if m.fault != nil {
		before, after = m.fault(op, at)
	}
	if before != nil {
		return before
	}
	if err := ctx.Err(); err != nil {
		return &failure.Answer{Unsent: true, Err: err}
	}
	if m.between != nil {
		m.between(m, at)
	}
	err := do()
	if m.twice != nil && op != "read" && m.twice(op) {
		err = do()
	}
	if after != nil {
		return after
	}
	return err
}

// put stores a document under a new version.
func (m *memory) put(at api.Place, doc note) string {
	m.versions++
	version := "v" + strconv.Itoa(m.versions)
	doc.Stored, doc.ETag = "", ""
	m.docs[at], m.written[at] = api.Stored[note]{Doc: &doc, Place: at, Version: version}, time.Now()
	return version
}

func (m *memory) write(op string, at api.Place, doc *note, allowed func(found api.Stored[note], there bool) error) (version string, err error) {
	found, there := m.docs[at]
	if err := allowed(found, there); err != nil {
		return "", err
	}
	if m.hit != nil && there {
		m.hit(*found.Doc, op)
	}
	m.applied = append(m.applied, op)
	if doc == nil {
		delete(m.docs, at)
		return "", nil
	}
	return m.put(at, *doc), nil
}

func answer(kind error) error {
	return &failure.Answer{Kind: kind, Code: "Code", Err: errors.New("the driver says «secret»")}
}

func (m *memory) Insert(ctx context.Context, at api.Place, doc *note) (version string, err error) {
	err = m.request(ctx, "insert", at, func() (err error) {
		version, err = m.write("insert", at, doc, func(_ api.Stored[note], there bool) error {
			if there {
				return answer(failure.ErrAlreadyExists)
			}
			return nil
		})
		return err
	})
	return version, err
}

func (m *memory) Upsert(ctx context.Context, at api.Place, doc *note) (version string, err error) {
	err = m.request(ctx, "upsert", at, func() (err error) {
		version, err = m.write("upsert", at, doc, func(api.Stored[note], bool) error { return nil })
		return err
	})
	return version, err
}

// unchanged is the check of Replace and Remove.
func unchanged(version string) func(api.Stored[note], bool) error {
	return func(found api.Stored[note], there bool) error {
		switch {
		case !there:
			return answer(failure.ErrNotFound)
		case version != "" && version != found.Version:
			return answer(failure.ErrPreconditionFailed)
		}
		return nil
	}
}

func (m *memory) Replace(ctx context.Context, at api.Place, doc *note, version string) (written string, err error) {
	err = m.request(ctx, "replace", at, func() (err error) {
		written, err = m.write("replace", at, doc, unchanged(version))
		return err
	})
	return written, err
}

func (m *memory) Remove(ctx context.Context, at api.Place, version string) error {
	return m.request(ctx, "remove", at, func() error {
		_, err := m.write("remove", at, nil, unchanged(version))
		return err
	})
}

func (m *memory) Read(ctx context.Context, at api.Place) (s api.Stored[note], err error) {
	err = m.request(ctx, "read", at, func() error {
		m.reads++
		found, there := m.docs[at]
		if !there {
			return answer(failure.ErrNotFound)
		}
		copied := *found.Doc
		s = api.Stored[note]{Doc: &copied, Place: found.Place, Version: found.Version, Age: time.Since(m.written[at])}
		return nil
	})
	return s, err
}

func (m *memory) Same(stored api.Stored[note], _ api.Place, doc *note) (bool, error) {
	a, b := *stored.Doc, *doc
	a.Stored, a.ETag, b.Stored, b.ETag = "", "", "", ""
	return a == b, nil
}

// selected returns the documents of a selection, by key and id.
func (m *memory) selected(sel api.Selection) []api.Stored[note] {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []api.Stored[note]
	for at := range maps.Keys(m.docs) {
		if sel.All || slices.Contains(sel.Keys, at.Partition) {
			copied := *m.docs[at].Doc
			found = append(found, api.Stored[note]{Doc: &copied, Place: at, Version: m.docs[at].Version})
		}
	}
	slices.SortFunc(found, func(a, b api.Stored[note]) int {
		return cmp.Or(strings.Compare(a.Place.Partition, b.Place.Partition), strings.Compare(a.Place.ID, b.Place.ID))
	})
	return found
}

func (m *memory) All(ctx context.Context, sel api.Selection) iter.Seq2[api.Stored[note], error] {
	return api.Each(ctx, 1, 1, func(ctx context.Context, _ int, emit func([]api.Stored[note]) bool) error {
		emit(m.selected(sel))
		return ctx.Err()
	})
}

// Page gives pages that may be empty before the end: after each, it passes one place.
func (m *memory) Page(_ context.Context, sel api.Selection, after string, size int) ([]api.Stored[note], string, error) {
	all := m.selected(sel)
	at := 0
	if after != "" {
		if _, err := fmt.Sscan(after, &at); err != nil {
			return nil, "", err
		}
	}
	if at%2 == 1 && at < 2*len(all) { // an empty page
		return nil, strconv.Itoa(at + 1), nil
	}
	begin := min(at/2, len(all))
	end := min(begin+size, len(all))
	if end == len(all) {
		return all[begin:end], "", nil
	}
	return all[begin:end], strconv.Itoa(2*end - 1), nil
}

func (m *memory) Count(_ context.Context, sel api.Selection) (int, error) {
	return len(m.selected(sel)), nil
}

var _ api.Driver[note] = (*memory)(nil)

// faults fail requests at random: with no answer before or after the effect, or unsent.
func faults(random *rand.Rand, often float64) func(string, api.Place) (before, after *failure.Answer) {
	return func(string, api.Place) (before, after *failure.Answer) {
		if random.Float64() >= often {
			return nil, nil
		}
		broken := errors.New("broken connection «secret»")
		switch random.IntN(3) {
		case 0:
			return &failure.Answer{Unanswered: true, Err: broken}, nil
		case 1:
			return nil, &failure.Answer{Unanswered: true, Err: broken}
		}
		return &failure.Answer{Unsent: true, Kind: failure.ErrThrottled, Code: "429", Err: broken}, nil
	}
}

// fields is a condition for tests of queries.
func fields(property string, op condition.Op, values ...any) *condition.Comparison {
	return &condition.Comparison{Property: property, Op: op, Values: values}
}

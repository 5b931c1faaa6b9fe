package untyped

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/placing"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// ContainerSettings are the options of a repository for a type with several containers.
type ContainerSettings struct {
	Supply      func(name string) provision.Throughput // for a container that a write creates; nil if writes create none
	Late, Early time.Duration                          // the largest distance of a new document's time from now; negative is unbounded
	Now         func() time.Time
}

// maxContainers bounds the containers that a repository remembers. It is more than an
// account has: the service allows 500 databases and containers ("Service quotas and default
// limits").
const maxContainers = 1000

type several struct {
	root *Documents // without a container
	db   *wire.Database

	time   []string // the path of the time in the names of containers; nil if they have none
	writes *several // these documents use its writers; nil for their own

	mu    sync.RWMutex
	known map[string]*Documents // by container name
}

// errSeveral is the error of an operation that is not possible over several containers.
var errSeveral = errors.New("the documents of the type are in several containers, and this operation is of one container: " +
	"Rekey over several containers is not possible yet")

// NewIn returns the documents of a type with several containers in a database. Its own
// Store and Writer have no container and send nothing.
func NewIn(db *wire.Database, t Types, given Settings) *Documents {
	d := New(nil, t, given)
	d.several = &several{root: d, db: db, known: map[string]*Documents{}}
	if t.TimeProperty != "" {
		d.several.time = jsonpointer.Names(t.TimeProperty)
	}
	d.Store.Unusable = errSeveral
	switch {
	case given.Wrong != nil:
		d.Store.Unusable = given.Wrong
	case db == nil:
		d.Store.Unusable = errors.New("the database of the repository is nil: make the repository with an *azcosmos.DatabaseClient")
	case t.Container == nil:
		d.Store.Unusable = errors.New("the type has one container: make the repository with New")
	}
	return d
}

// IsSeveral reports whether the type has several containers.
func (d *Documents) IsSeveral() bool { return d.several != nil }

// Wrong returns an error if no request can be sent.
func (d *Documents) Wrong() error {
	if err := d.Store.Unusable; d.several == nil || !errors.Is(err, errSeveral) {
		return err
	}
	return nil
}

// In returns the documents in the named container. The type must have several.
func (d *Documents) In(name string) (*Documents, error) {
	s := d.several
	s.mu.RLock()
	in := s.known[name]
	s.mu.RUnlock()
	if in != nil {
		return in, nil
	}
	return s.open(name)
}

// open is In for a container that was not used before.
func (s *several) open(name string) (*Documents, error) {
	err := s.root.Wrong()
	var client *wire.Client
	if err == nil {
		client, err = s.db.NewContainer(name)
	}
	if err != nil {
		return nil, &documents.Error{Op: "open", Type: s.root.Store.Type, Err: err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if in := s.known[name]; in != nil {
		return in, nil
	}
	if len(s.known) >= maxContainers {
		clear(s.known)
	}
	in := New(client, s.root.Types, s.root.settings)
	in.Store.Missing = s.missing(name)
	if s.writes != nil {
		own, err := s.writes.root.In(name)
		if err != nil {
			return nil, err
		}
		in.Writer, in.strategy = own.Writer, own.strategy
	}
	s.known[name] = in
	return in, nil
}

// missing says what happens if the named container does not exist.
func (s *several) missing(name string) *wire.Missing {
	t := &s.root.Types
	m := &wire.Missing{Advice: fmt.Sprintf("create container %q by %s, or have writes create it by admin.WithEnsureContainer", name, t.Ensure)}
	supply := s.root.settings.Containers.Supply
	if supply == nil {
		return m
	}
	m.Create = func(ctx context.Context) error {
		want := t.Properties(name)
		e := provision.Container{DB: s.db, Want: &want, Throughput: supply(name), Draft: t.Seal}
		e.Computed, e.SameQuery = ComputedOf(t.Computed)
		if t.Seal != "" {
			ctx = wire.WithDraft(ctx, t.Seal)
		}
		_, err := e.Ensure(ctx)
		var unlike *provision.DifferencesError
		if errors.As(err, &unlike) { // the write shows whether the container is usable
			return nil
		}
		return err
	}
	return m
}

// of returns the documents of the container of doc, or d if the type has one container.
func (d *Documents) of(op string, doc any) (*Documents, error) {
	if d.several == nil {
		return d, nil
	}
	in, _, err := d.placed(op, doc)
	return in, err
}

// ofNew is of for a document to be stored. It returns an error if its time is out of
// bounds.
func (d *Documents) ofNew(op string, doc any) (*Documents, error) {
	if d.several == nil {
		return d, nil
	}
	in, at, err := d.placed(op, doc)
	if err == nil {
		err = in.bounded(op, doc, at)
	}
	return in, err
}

// placed returns the documents of the container of doc, and the time that selects the
// container.
func (d *Documents) placed(op string, doc any) (*Documents, time.Time, error) {
	err := d.Wrong()
	if err == nil && isNil(doc) {
		err = errors.New("the document is nil")
	}
	if err != nil {
		return nil, time.Time{}, &documents.Error{Op: op, Type: d.Store.Type, Err: err}
	}
	name, at, err := d.Types.Container(doc)
	if err != nil {
		return nil, at, err
	}
	in, err := d.In(name)
	return in, at, err
}

// bounded returns an error if the time of a new document is out of bounds.
func (d *Documents) bounded(op string, doc any, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	bounds := d.settings.Containers
	now := bounds.Now()
	var reason string
	switch {
	case bounds.Late >= 0 && at.Before(now.Add(-bounds.Late)):
		reason = fmt.Sprintf("more than %v before now, the bound for late documents", bounds.Late)
	case bounds.Early >= 0 && at.After(now.Add(bounds.Early)):
		reason = fmt.Sprintf("more than %v after now, the bound for early documents", bounds.Early)
	default:
		return nil
	}
	p, _ := d.Types.Place(doc) // only the id, if a random suffix is not chosen yet
	failure := d.Store.Failure(op, p, fmt.Errorf("its time is %s: correct it, or change the bound of repository.WithWindowBounds", reason))
	failure.Kind = wire.ErrOutOfBounds
	return failure
}

// inContainer returns prepare for items of d, each in the container of its document.
func (d *Documents) inContainer(op string, prepare func(d *Documents, doc any, item *write.BulkItem)) func(doc any, item *write.BulkItem) {
	if d.several == nil {
		return func(doc any, item *write.BulkItem) { prepare(d, doc, item) }
	}
	return func(doc any, item *write.BulkItem) {
		in, err := d.ofNew(op, doc)
		if item.Err = err; err != nil {
			return
		}
		item.In = in.Writer
		prepare(in, doc, item)
	}
}

// Over returns q over the containers of the type. Given are the keys of q.
func (d *Documents) Over(q query.Selection, given generated.Keys) query.Selection {
	if d.several == nil {
		return q
	}
	return q.In(d.several, given)
}

// several implements query.Source with these methods.

func (s *several) Wrong() error { return s.root.Wrong() }

func (s *several) Begin(ctx context.Context, given, keys generated.Keys) (context.Context, query.Containers, error) {
	parts, err := s.parts(ctx, given, keys)
	return ctx, query.Containers{Parts: parts}, err
}

func (s *several) Place(name string) (query.Place, bool) {
	n, ok := s.root.Types.Template.Read(name)
	return query.Place{Name: n.Text, Start: n.Start}, ok
}

func (s *several) Time() []string { return s.time }

// parts returns the containers of keys. Given are the keys before they were resolved.
func (s *several) parts(ctx context.Context, given, keys generated.Keys) ([]query.Part, error) {
	t, limit := &s.root.Types, s.root.Store.Settings.MaxKeys
	listCtx := ctx
	if t.Seal != "" {
		listCtx = wire.WithDraft(ctx, t.Seal)
	}
	names, err := t.Template.Of(keys, t.Name, limit, func() ([]string, error) {
		return placing.List(listCtx, s.db, t.Name, t.Paths)
	})
	if err != nil {
		return nil, err
	}
	parts := make([]query.Part, len(names))
	for i, n := range names {
		in, err := s.root.In(n.Text)
		if err != nil {
			return nil, err
		}
		own, err := given.Clip(n.Start, n.End).Resolve(t.Name, limit)
		if err != nil {
			return nil, err
		}
		parts[i] = query.Part{Place: query.Place{Name: n.Text, Start: n.Start}, Store: in.Store, Keys: own}
	}
	return parts, nil
}

// Feeds returns the containers of the type for reading their change feeds as one.
func (d *Documents) Feeds() *feed.Containers {
	if d.several == nil {
		return feed.One(d.Store)
	}
	t := &d.Types
	return &feed.Containers{
		Store: d.Store, Wrong: d.Wrong, List: d.several.listed, Now: d.settings.Containers.Now,
		In: func(name string) (*store.Store, error) {
			in, err := d.In(name)
			if err != nil {
				return nil, err
			}
			return in.Store, nil
		},
		Ends: func(name string) (time.Time, bool) {
			n, ok := t.Template.Read(name)
			return n.End, ok
		},
	}
}

// listed returns the existing containers of the type.
func (s *several) listed(ctx context.Context) ([]feed.Listed, error) {
	t := &s.root.Types
	all, err := s.properties(ctx)
	var listed []feed.Listed
	for _, c := range all {
		if _, ok := t.Template.Read(c.ID); ok {
			listed = append(listed, feed.Listed{Name: c.ID, RID: c.ResourceID, KeyVersion: c.PartitionKeyDefinition.Version})
		}
	}
	return listed, err
}

// properties returns the containers of the database with the partition key of the type.
func (s *several) properties(ctx context.Context) ([]wire.ContainerProperties, error) {
	t := &s.root.Types
	if t.Seal != "" {
		ctx = wire.WithDraft(ctx, t.Seal)
	}
	return placing.Containers(ctx, s.db, t.Name, t.Paths)
}

// OpFind names FindInBuckets in errors.
const OpFind = "find"

// Find is FindInBuckets.
func (d *Documents) Find(ctx context.Context, id string, keys generated.Keys) (doc any, err error) {
	const op = OpFind
	given := keys
	keys, err = keys.Resolve(d.Store.Type, d.Store.Settings.MaxKeys)
	if err != nil {
		return nil, err
	}
	if err := d.Wrong(); err != nil {
		return nil, &documents.Error{Op: op, Type: d.Store.Type, Err: err}
	}
	ctx, end := d.Store.StartSpan(ctx, op)
	defer func() { end(err) }()
	parts := []query.Part{{Store: d.Store, Keys: keys}}
	if d.several != nil {
		if parts, err = d.several.parts(ctx, given, keys); err != nil {
			return nil, err
		}
	}
	found, err := findIn(ctx, op, id, parts)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(item []byte) bool {
		return !d.Store.Shows(item) || !query.Matches(item, keys.Filters())
	})
	switch len(found) {
	case 0:
		return nil, &documents.Error{Op: op, Type: d.Store.Type, ID: id, Err: wire.ErrNotFound}
	case 1:
		doc, err := d.Store.Decode(found[0])
		if err != nil {
			return nil, &documents.Error{Op: op, Type: d.Store.Type, ID: id, Err: err}
		}
		return doc, nil
	}
	return nil, &documents.Error{Op: op, Type: d.Store.Type, ID: id, Kind: wire.ErrAmbiguous, Err: d.ambiguity(found)}
}

// findIn returns the stored documents with an id in several containers.
func findIn(ctx context.Context, op, id string, parts []query.Part) ([][]byte, error) {
	found := make([][][]byte, len(parts))
	err := parallel.Each(ctx, len(parts), maxContainersAtOnce, func(ctx context.Context, i int) (err error) {
		if err = parts[i].Store.JoinSession(ctx, op); err == nil {
			found[i], err = query.FindByID(ctx, parts[i].Store, op, id, parts[i].Keys)
		}
		return err
	})
	return slices.Concat(found...), err
}

// maxContainersAtOnce bounds the containers that are searched concurrently.
const maxContainersAtOnce = 8

// ambiguity returns an error that names the partition keys of documents.
func (d *Documents) ambiguity(items [][]byte) error {
	names := make([]string, 0, len(items))
	for _, item := range items {
		doc, err := d.Store.Decode(item)
		if err != nil {
			return err
		}
		p, err := d.Types.Place(doc)
		if err != nil {
			return err
		}
		names = append(names, p.Name)
	}
	return fmt.Errorf("it is in %s: Get reads one of them", strings.Join(names, ", "))
}

package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
)

// The source container, and its index.
const (
	indexSource = "queries"
	indexID     = "by-n"
)

// indexed is an index of the container of queries, by n.
type indexed struct {
	account *account.Account
	source  *account.Container
	index   *account.Container // nil until it is Active
}

// indexPatience is the time limit for building an index of 100 documents, and for propagating a
// change to it.
const indexPatience = 10 * time.Minute

// indexes checks assumptions about global secondary indexes. If the account refuses to create one,
// the assumptions are unknown.
func indexes(ctx context.Context, a *account.Account, database string) ([]Result, error) {
	source, err := a.Container(ctx, database, indexSource)
	if err != nil {
		return nil, err
	}
	p := &indexed{account: a, source: source}
	var refused *account.StatusError
	if err := p.create(ctx, indexID, "SELECT c.n, c.pk FROM c", true); errors.As(err, &refused) && refused.Status < http.StatusInternalServerError {
		return []Result{{Says: "global secondary indexes", Unknown: "the account refuses to create one: " + err.Error()}}, nil
	} else if err != nil {
		return nil, err
	}
	return check(ctx, p, ofIndexes())
}

// create makes an index of the source.
func (p *indexed) create(ctx context.Context, id, definition string, autoscales bool) error {
	index, err := json.Marshal(containers.Index{Source: p.source.ID, SourceRID: p.source.RID, Definition: definition})
	if err != nil {
		return err
	}
	throughput, value := "x-ms-offer-throughput", "400"
	if autoscales {
		throughput, value = "x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":1000}`
	}
	more := fmt.Sprintf(`,"globalSecondaryIndexDefinition":%s,"materializedViewDefinition":%[1]s`, index)
	return post(ctx, p.account, p.source.Database, id, "/n", more, throughput, value)
}

// entry is a document of the index.
type entry struct {
	ID       string `json:"id"`
	SourceID string `json:"_id"`
	N        *int   `json:"n"`
	PK       string `json:"pk"`
	Group    string `json:"group"` // not in the index
}

// entries returns the documents of the index that match a condition.
func (p *indexed) entries(ctx context.Context, condition string) ([]entry, error) {
	var rows []json.RawMessage
	err := p.account.Query(ctx, p.index, "SELECT * FROM c WHERE "+condition, nil, func(row json.RawMessage) { rows = append(rows, row) })
	if err != nil {
		return nil, err
	}
	return itemsOf[entry](rows)
}

// until calls done with growing pauses until it returns true or an error, or patience ends.
func until(ctx context.Context, what string, done func() (bool, error)) error {
	for began, pause := time.Now(), 50*time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		switch is, err := done(); {
		case err != nil || is:
			return err
		case time.Since(began) > indexPatience:
			return fmt.Errorf("not after %v: %s", indexPatience, what)
		}
		if err := backoff.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// ofIndexes are the assumptions about global secondary indexes. Each starts from the state that the
// last one left.
func ofIndexes() []assumption[*indexed] {
	return []assumption[*indexed]{
		{"an index becomes Active, and says of which container it is", becomesActive},
		{"an index has each document of its source once, with the selected properties, its id as _id, and an id of its own", complete},
		{"an index has new documents, moves those whose key in it changes, and loses those that are deleted", follows},
		{"writes to an index are refused with 403", func(ctx context.Context, p *indexed) error {
			_, err := p.account.CreateItem(ctx, p.index, `[7]`, json.RawMessage(`{"id":"own","_id":"own","n":7}`))
			return answered(err, http.StatusForbidden, -1)
		}},
		{"an index with manual throughput is refused with 400", func(ctx context.Context, p *indexed) error {
			return answered(p.create(ctx, "manual", "SELECT * FROM c", false), http.StatusBadRequest, -1)
		}},
		{"a definition with an alias is refused with 400", func(ctx context.Context, p *indexed) error {
			return answered(p.create(ctx, "alias", "SELECT c.pk AS n FROM c", true), http.StatusBadRequest, -1)
		}},
		{"a definition with a condition is refused with 400", func(ctx context.Context, p *indexed) error {
			return answered(p.create(ctx, "condition", "SELECT * FROM c WHERE c.n > 1", true), http.StatusBadRequest, -1)
		}},
		{"a container that has an index is not deleted, but refused with 400", func(ctx context.Context, p *indexed) error {
			return answered(drop(ctx, p.account, p.source, nil), http.StatusBadRequest, -1)
		}},
	}
}

func becomesActive(ctx context.Context, p *indexed) error {
	index, err := p.account.Container(ctx, p.source.Database, indexID)
	if err != nil {
		return err
	}
	status := ""
	err = until(ctx, "it is Active", func() (bool, error) {
		text, err := p.account.Settings(ctx, index)
		if err != nil {
			return false, err
		}
		var settings containers.Properties
		if err := json.Unmarshal(text, &settings); err != nil {
			return false, err
		}
		is := settings.IndexedBy()
		if is == nil || is.Source != p.source.ID {
			return false, fmt.Errorf("it is %v", is)
		}
		status = is.Status
		return status == containers.Active, nil
	})
	if err != nil {
		return fmt.Errorf("%w; its status is %q", err, status)
	}
	p.index = index
	return nil
}

// ready returns an error if an earlier assumption found the index unreadable.
func (p *indexed) ready() error {
	if p.index == nil {
		return errors.New("not known, because the index is not Active")
	}
	return nil
}

func complete(ctx context.Context, p *indexed) error {
	if err := p.ready(); err != nil {
		return err
	}
	list, err := p.entries(ctx, "true")
	if err != nil {
		return err
	}
	var ids, sources []string
	for _, e := range list {
		if e.ID == "" || e.PK == "" || e.N == nil || e.Group != "" {
			return fmt.Errorf("it has %+v", e)
		}
		ids, sources = append(ids, e.ID), append(sources, e.SourceID)
	}
	slices.Sort(ids)
	slices.Sort(sources)
	if len(slices.Compact(ids)) != documents || len(slices.Compact(sources)) != documents || sources[0] != "d000" {
		return fmt.Errorf("it has %d documents, with %d ids", len(list), len(slices.Compact(ids)))
	}
	return nil
}

func follows(ctx context.Context, p *indexed) error {
	if err := p.ready(); err != nil {
		return err
	}
	has := func(condition string, want int) error {
		return until(ctx, condition, func() (bool, error) {
			list, err := p.entries(ctx, `c["_id"] = "late" AND `+condition)
			return len(list) == want, err
		})
	}
	write := func(n int) error {
		_, err := p.account.UpsertItem(ctx, p.source, `["late"]`, json.RawMessage(fmt.Sprintf(`{"id":"late","pk":"late","n":%d}`, n)))
		return err
	}
	steps := []func() error{
		func() error { return write(100) },
		func() error { return has(`c.n = 100`, 1) },
		func() error { return write(101) },
		func() error { return has(`c.n = 101`, 1) },
		func() error { return has(`c.n = 100`, 0) },
		func() error { return p.account.DeleteItem(ctx, p.source, "late", `["late"]`, "") },
		func() error { return has(`c.n = 101`, 0) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

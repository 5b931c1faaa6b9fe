// Package RELEASE is a program of the release RELEASE. It does what it is told on its
// standard input, one thing after the other, and says what came of it.
package RELEASE

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"

	items "example.com/consumer/RELEASE"
)

// order is what the program does next.
type order struct {
	Op, ID, Shop, Cursor string
	Worth, Rank, Was     int
	Size                 int
	Keys                 []items.ItemKey
}

// item is an item as the program sees it.
type item struct {
	ID, Shop          string
	Worth, Rank, Form int
}

// answer is what came of an order.
type answer struct {
	Outcome string // empty if it is done
	Items   []item
	Cursor  string
	N       int
	Counts  map[string]int
}

type program struct {
	*items.ItemRepository
}

// worth is the value of an item, in the unit of all releases.
func worth(i *items.Item) int { return i.FIELD * UNIT }

func seen(all ...*items.Item) (seen []item) {
	for _, i := range all {
		if i != nil {
			seen = append(seen, item{i.ID, i.Shop, worth(i), i.Rank, FORM})
		}
	}
	return seen
}

// Main runs the program.
func Main() error {
	client, err := azcosmos.NewClientFromConnectionString(os.Getenv("ACCOUNT"), repository.Configure(nil))
	if err != nil {
		return err
	}
	container, err := client.NewContainer("db", items.ItemContainer().ID)
	if err != nil {
		return err
	}
	p := program{items.NewItemRepository(container)}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var o order
		if err := in.Decode(&o); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var a answer
		a.Outcome = outcome(p.do(context.Background(), o, &a))
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

func outcome(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, repository.ErrNewerDocument):
		return "newer"
	case errors.Is(err, repository.ErrNotFound):
		return "missing"
	case errors.Is(err, repository.ErrAlreadyExists):
		return "exists"
	case errors.Is(err, repository.ErrPreconditionFailed):
		return "changed"
	case errors.Is(err, repository.ErrCursor):
		return "cursor"
	}
	return err.Error()
}

// do does what the program was told, and fills in what it has seen.
func (p program) do(ctx context.Context, o order, a *answer) error {
	key := items.ItemKey{ID: o.ID, Shop: o.Shop}
	doc := &items.Item{ID: o.ID, Shop: o.Shop, Rank: o.Rank, FIELD: o.Worth / UNIT}
	switch o.Op {
	case "create":
		return p.Create(ctx, doc)
	case "upsert":
		return p.Upsert(ctx, doc)
	case "replace":
		return p.Replace(ctx, doc)
	case "exchange":
		read, err := p.Get(ctx, key)
		if err != nil {
			return err
		}
		a.Items = seen(read)
		doc.ETag = read.ETag
		return p.Replace(ctx, doc)
	case "update":
		return p.Update(ctx, key, func(i *items.Item) error { i.FIELD = o.Worth / UNIT; return nil })
	case "patch":
		return p.Patch(ctx, key, items.ItemPatch.FIELD.Set(o.Worth/UNIT))
	case "rank":
		return p.Patch(ctx, key, items.ItemPatch.Rank.Increment(o.Rank))
	case "patchif":
		return p.PatchIf(ctx, key, items.ItemFields.FIELD.Eq(o.Was/UNIT), items.ItemPatch.FIELD.Set(o.Worth/UNIT))
	case "delete":
		return p.Delete(ctx, key)
	case "both": // one is stored, and the other one patched
		tx := repository.NewTransaction()
		err := p.In(tx).Upsert(doc)
		if err == nil {
			err = p.In(tx).Patch(o.Keys[0], items.ItemPatch.Rank.Increment(o.Rank))
		}
		if err != nil {
			return err
		}
		return tx.Commit(ctx)
	case "race": // counts up, while other programs do
		a.Counts = map[string]int{}
		for n := range o.Size {
			key := o.Keys[n%len(o.Keys)]
			err := p.Update(ctx, key, func(i *items.Item) error { i.FIELD += o.Worth / UNIT; return nil })
			switch what := outcome(err); what {
			case "":
				a.Counts[key.ID]++
			case "newer", "changed":
				a.N++
			default:
				return err
			}
		}
		return nil
	case "upgrade":
		done, err := admin.Upgrade(ctx, p.Documents, admin.Run{})
		a.N = done.Changed
		if err == nil && !done.Done() {
			err = fmt.Errorf("%d are left: %w", done.Left, done.Err)
		}
		return err
	}
	return p.read(ctx, o, a)
}

// read reads one document, or many.
func (p program) read(ctx context.Context, o order, a *answer) (err error) {
	f := items.ItemFields
	worth := f.FIELD.Eq(o.Worth / UNIT)
	var found []*items.Item
	switch o.Op {
	case "get":
		var read *items.Item
		read, err = p.Get(ctx, items.ItemKey{ID: o.ID, Shop: o.Shop})
		found = append(found, read)
	case "many":
		found, err = p.GetMany(ctx, o.Keys)
	case "scan":
		found, err = p.Scan().Collect(ctx)
	case "shop":
		found, err = p.ByShop(o.Shop).Collect(ctx)
	case "where":
		found, err = p.Scan().Where(worth).Collect(ctx)
	case "not":
		found, err = p.Scan().Where(repository.Not(worth)).Collect(ctx)
	case "ranked":
		found, err = p.Scan().Where(f.Rank.Ge(o.Rank)).OrderBy(f.Rank.Desc()).Collect(ctx)
	case "count":
		a.N, err = p.Scan().Where(worth).Count(ctx)
	case "sum":
		var sum float64
		sum, err = repository.Sum(ctx, p.ByShop(o.Shop), f.Rank)
		a.N = int(sum)
	case "scan page", "ranked page", "where page":
		q := p.Scan()
		switch o.Op {
		case "ranked page":
			q = q.OrderBy(f.Rank.Asc())
		case "where page":
			q = q.Where(worth)
		}
		var page repository.Page[items.Item]
		page, err = q.Page(ctx, o.Cursor, o.Size)
		found, a.Cursor = page.Items, page.Cursor
	case "feed":
		for change, err := range feed.Changes(ctx, p.Documents, feed.FromCursor(o.Cursor), feed.UntilCaughtUp(), feed.OnCaughtUp(func(c string) { a.Cursor = c })) {
			if err != nil {
				return err
			}
			found = append(found, change.Doc)
		}
	default:
		err = fmt.Errorf("no operation %q", o.Op)
	}
	a.Items = seen(found...)
	return err
}

package querytest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestNextForm has the release that reads the next form, and the release that writes it,
// read and write the same documents. A model says in which form each is stored: the first
// release reads all, and changes none of the next form.
func TestNextForm(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("cards", "/key"), repository.Configure(nil))
	first, second := repository.New(container, forms.CardModel), repository.New(container, forms.CardAfterModel)
	random := rand.New(rand.NewPCG(7, 8))
	model := map[string]cardState{}
	for step := range 400 {
		id, euros := fmt.Sprint(random.IntN(6)), random.IntN(90)
		key := forms.CardKey{ID: id, Key: "k"}
		stored, there := model[id]
		next, wrong := cardState{1, 100 * euros}, error(nil)
		if there && stored.form == 2 {
			wrong = repository.ErrNewerDocument
		}
		if !there {
			wrong = repository.ErrNotFound
		}
		var err error
		op := random.IntN(7)
		switch op {
		case 0:
			if !there {
				wrong = nil
			}
			err = first.Upsert(ctx, &forms.Card{ID: id, Key: "k", Euros: euros})
		case 1:
			err = first.Update(ctx, key, func(c *forms.Card) error { c.Euros = euros; return nil })
		case 2:
			err = first.Patch(ctx, key, forms.CardPatch.Euros.Set(euros))
		case 3, 4: // with an ETag, in the struct that was read or in a new one
			var c *forms.Card
			if c, err = first.Get(ctx, key); err == nil {
				if c.Schema != stored.form || c.Euros != stored.cents/100 {
					t.Errorf("%d: got %+v, want %+v", step, c, stored)
				}
				if op == 4 {
					c = &forms.Card{ID: id, Key: "k", ETag: c.ETag}
				}
				c.Euros = euros
				err = first.Replace(ctx, c)
			}
		case 5:
			next, wrong = cardState{2, 100*euros + 50}, nil
			err = second.Upsert(ctx, &forms.CardAfter{ID: id, Key: "k", Cents: next.cents})
		case 6:
			wrong = nil
			if !there {
				wrong = repository.ErrNotFound
			}
			if err = first.Delete(ctx, key); err == nil {
				delete(model, id)
			}
		}
		if wrong == nil && err != nil || wrong != nil && !errors.Is(err, wrong) {
			t.Fatalf("%d: operation %d of %s, stored as %+v: got %v, want %v", step, op, id, stored, err, wrong)
		}
		if err == nil && op != 6 {
			model[id] = next
		}
	}
	seesCards(t, first, model)
}

// cardState is how a card is stored.
type cardState struct{ form, cents int }

// seesCards reads all cards by a query, by pages and by the feed.
func seesCards(t *testing.T, cards *repository.Documents[forms.Card, forms.CardKey], model map[string]cardState) {
	t.Helper()
	ctx := t.Context()
	sees := func(how string, found map[string]int) {
		for id, s := range model {
			if euros, there := found[id]; !there || euros != s.cents/100 {
				t.Errorf("%s gives %d, %t for %s, which is stored as %+v", how, euros, there, id, s)
			}
		}
		if len(found) != len(model) {
			t.Errorf("%s gives %d documents, want %d", how, len(found), len(model))
		}
	}
	queried := map[string]int{}
	for c, err := range cards.Scan().All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		queried[c.ID] = c.Euros
	}
	sees("a query", queried)
	paged := map[string]int{}
	for cursor := ""; ; {
		page, err := cards.Scan().Page(ctx, cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Items {
			paged[c.ID] = c.Euros
		}
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	sees("a page", paged)
	fed := map[string]int{}
	for change, err := range feed.Changes(ctx, cards, feed.FromBeginning(), feed.UntilCaughtUp()) {
		if err != nil {
			t.Fatal(err)
		}
		if change.Doc != nil {
			fed[change.Doc.ID] = change.Doc.Euros
		}
	}
	sees("the feed", fed)
}

// TestUpgradeLeavesNextForm: a document of the next form may have a property under a former name.
// Only the next release writes it, so that the run is done without it.
func TestUpgradeLeavesNextForm(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("cards", "/key"), repository.Configure(nil))
	model := forms.CardModel
	model.Aliases = []generated.Aliased{{Property: "euros", Names: []string{"price"}}}
	cards := repository.New(container, model)
	for _, raw := range []string{
		`{"id":"1","key":"k","price":3}`,
		`{"id":"2","key":"k","schema":1,"price":4}`,
		`{"id":"3","key":"k","schema":2,"price":5,"cents":500}`,
		`{"id":"4","key":"k","schema":null,"price":6}`,
	} {
		put(t, container, raw)
	}
	for _, dry := range []bool{true, false} {
		done, err := admin.Upgrade(t.Context(), cards, admin.Run{DryRun: dry})
		if err != nil || done.Found != 3 || done.Failed != 0 || done.Err != nil || !dry && (done.Changed != 3 || !done.Done()) {
			t.Errorf("dry run %t: got %+v, %v", dry, done, err)
		}
	}
	if raw := rawAt(t, container, "3", "k"); !strings.Contains(raw, `"price":5`) {
		t.Errorf("of the next form is stored %s", raw)
	}
}

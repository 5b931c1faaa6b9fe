package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// If the tenant is the first of several levels of the partition key, its documents are in many
// logical partitions, and no transaction covers all of them. There are no fences and no
// tombstones: writes stop until all caches have expired, and then the ids of both sides are
// compared. Each write of a move requires the ETag of the document that it replaces, or
// creates a document. It has a deadline, before which no other process takes over.

// row is a document of a tenant in the result of a query.
type row struct {
	ID     string            `json:"id"`
	ETag   azcore.ETag       `json:"etag"`
	Levels []json.RawMessage `json:"levels"`
}

// name identifies a row.
func (r *row) name() string {
	raw, err := json.Marshal([]any{r.ID, r.Levels})
	if err != nil { // parts of a document that was read before
		panic("repository: " + err.Error())
	}
	return string(raw)
}

// rows returns the documents of the tenant.
func (s *side) rows(ctx context.Context) (map[string]row, error) {
	var levels []string
	for _, path := range s.Paths {
		levels = append(levels, text.Property(path))
	}
	all := map[string]row{}
	err := s.List(ctx, wire.Listing{
		Event: wire.Event{Op: Op, PartitionKey: s.tenant.Name}, Key: wire.NewPartitionKey(), PageSize: feedPage, Retry: again,
		Statement:  "SELECT c.id, c._etag AS etag, [" + strings.Join(levels, ", ") + "] AS levels FROM c WHERE " + levels[0] + " = @tenant",
		Parameters: []wire.Parameter{{Name: "@tenant", Value: s.tenant.Value}},
	}, func(page wire.Page) error {
		for _, raw := range page.Items {
			var one row
			if err := json.Unmarshal(raw, &one); err != nil {
				return err
			}
			all[one.name()] = one
		}
		return nil
	})
	return all, err
}

// placeAt returns the place of a document.
func (s *side) placeAt(id string, levels []json.RawMessage) (wire.Place, error) {
	values := make([]any, len(levels))
	for i, raw := range levels {
		if err := json.Unmarshal(raw, &values[i]); err != nil {
			return wire.Place{}, err
		}
	}
	if len(values) != len(s.Paths) || !wire.Expressible(values) {
		return wire.Place{}, fmt.Errorf("the document %q lacks a level of the partition key of container %q, or has one that is no text, number or boolean: remove it, or give it one", id, s.id)
	}
	key, name := wire.PartitionKeyOf(values)
	return wire.Place{ID: id, Key: key, Name: name, Value: values}, nil
}

// placeOf returns the place of a document.
func (s *side) placeOf(raw []byte) (wire.Place, error) {
	var id string
	if err := json.Unmarshal(text.Member(raw, "id"), &id); err != nil {
		return wire.Place{}, errors.New("a document has no id")
	}
	levels := make([]json.RawMessage, len(s.Paths))
	for i, path := range s.Paths {
		if levels[i] = text.ValueAt(raw, jsonpointer.Names(path)); levels[i] == nil {
			levels[i] = json.RawMessage("null")
		}
	}
	return s.placeAt(id, levels)
}

// send sends a write with the deadline of this process.
func (s *side) send(ctx context.Context, p wire.Place, write func(context.Context) (wire.Answer, error)) error {
	return again(ctx, func() error {
		until, err := s.lease(ctx)
		if err != nil {
			return err
		}
		leased, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		callCtx, done := s.Begin(leased, p.Event(Op))
		response, err := write(callCtx)
		done(response.RequestCharge, err)
		return err
	})
}

// put stores a document: it creates it, or replaces the stored version.
func (s *side) put(ctx context.Context, body []byte) error {
	p, err := s.placeOf(body)
	if err != nil {
		return err
	}
	for range maxAttempts {
		err := s.send(ctx, p, func(ctx context.Context) (wire.Answer, error) {
			return s.CreateItem(ctx, p.Key, body, wire.WriteOptions(ctx))
		})
		if wire.StatusOf(err) != http.StatusConflict {
			return err
		}
		var stored wire.Answer
		err = again(ctx, func() (err error) {
			stored, err = s.ReadItem(ctx, Op, p)
			return err
		})
		if err == nil {
			err = s.send(ctx, p, func(ctx context.Context) (wire.Answer, error) {
				return s.ReplaceItem(ctx, p.Key, p.ID, body, wire.IfMatch(ctx, stored.ETag))
			})
		}
		if status := wire.StatusOf(err); status != http.StatusNotFound && status != http.StatusPreconditionFailed {
			return err
		}
	}
	return fmt.Errorf("another program keeps writing to container %q for the tenant", s.id)
}

// drop removes a document, unless it has changed since it was read.
func (s *side) drop(ctx context.Context, one row) error {
	p, err := s.placeAt(one.ID, one.Levels)
	if err != nil {
		return err
	}
	err = s.send(ctx, p, func(ctx context.Context) (wire.Answer, error) {
		return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, one.ETag))
	})
	if status := wire.StatusOf(err); status == http.StatusNotFound || status == http.StatusPreconditionFailed {
		return nil
	}
	return err
}

// writers is the number of documents that are written concurrently.
const writers = 16

// each calls a function for the elements of a list, several at a time.
func each[E any](ctx context.Context, list []E, do func(context.Context, E) error) error {
	return parallel.Each(ctx, len(list), writers, func(ctx context.Context, i int) error { return do(ctx, list[i]) })
}

// putAll stores documents.
func (m *Move) putAll(ctx context.Context, operations []wire.Operation) error {
	return each(ctx, operations, func(ctx context.Context, o wire.Operation) error {
		if err := m.spend(ctx); err != nil {
			return err
		}
		return m.to.put(ctx, o.Body)
	})
}

// drain copies the writes from before the pause, and makes the ids of both sides equal.
// Without tombstones, only this finds deletions.
func (m *Move) drain(ctx context.Context) error {
	if err := m.Sleep(ctx, m.wait); err != nil {
		return err
	}
	for {
		p, err := m.follow(ctx)
		if err != nil {
			return err
		}
		if p.idle {
			break
		}
	}
	const passes = 3
	for range passes {
		differ, err := m.compare(ctx)
		if err != nil || differ == 0 {
			return err
		}
	}
	return fmt.Errorf("the sides differ after %d comparisons: another program writes to one of them. The tenant was not moved", passes)
}

// compare makes the ids of both sides equal, and returns the number of differences.
func (m *Move) compare(ctx context.Context) (differ int, err error) {
	missing, err := m.from.rows(ctx)
	if err != nil {
		return 0, err
	}
	extra, err := m.to.rows(ctx)
	if err != nil {
		return 0, err
	}
	var gone, lost []row
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if _, there := missing[name]; !there {
			gone = append(gone, extra[name])
		}
		delete(missing, name)
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		lost = append(lost, missing[name])
	}
	if err := each(ctx, gone, m.to.drop); err != nil {
		return 0, err
	}
	m.note(func(s *Summary) { s.Deleted += int64(len(gone)); s.Mended += int64(len(lost)) })
	err = each(ctx, lost, func(ctx context.Context, one row) error {
		p, err := m.from.placeAt(one.ID, one.Levels)
		if err != nil {
			return err
		}
		body, err := m.from.body(ctx, p)
		if body == nil || err != nil {
			return err
		}
		return m.to.put(ctx, body)
	})
	return len(gone) + len(lost), err
}

// removeAll removes the documents at the old place.
func (m *Move) removeAll(ctx context.Context) error {
	for {
		left, err := m.from.rows(ctx)
		if err != nil || len(left) == 0 {
			return err
		}
		list := make([]row, 0, len(left))
		for _, name := range slices.Sorted(maps.Keys(left)) {
			list = append(list, left[name])
		}
		err = each(ctx, list, func(ctx context.Context, one row) error {
			if err := m.spend(ctx); err != nil {
				return err
			}
			return m.from.drop(ctx, one)
		})
		if err != nil {
			return err
		}
		m.note(func(s *Summary) { s.Removed += int64(len(list)) })
	}
}

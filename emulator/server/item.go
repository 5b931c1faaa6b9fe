package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// action reads the action of a request on an item. It makes all checks that do not depend on
// stored documents.
func (c *call) action(in *store.Container) (*store.Action, error) {
	k, err := in.ItemKey(c.Header.Get(header.PartitionKey))
	if err != nil {
		return nil, err
	}
	a := &store.Action{
		Kind:        itemActions[c.entry.Operation],
		Key:         k,
		ID:          in.ItemID(k, c.target.item),
		IfMatch:     c.Header.Get("If-Match"),
		IfNoneMatch: c.Header.Get("If-None-Match"),
	}
	body, err := jsontext.Text(c.body)
	if err != nil {
		return nil, err
	}
	return a, c.readBody(in, a, body)
}

// readBody reads the body of an action.
func (c *call) readBody(in *store.Container, a *store.Action, body []byte) error {
	var err error
	switch a.Kind {
	case store.Create, store.Upsert:
		if a.Incoming, err = in.Incoming(body, a.Key); err == nil {
			a.ID = a.Incoming.ID
		}
	case store.Replace:
		if a.Incoming, err = in.Incoming(body, a.Key); err == nil {
			err = store.ChangesID(a.Incoming, a.ID)
		}
	case store.PatchItem:
		a.Patch, err = store.ParsePatch(body, func(text string) (func(*store.Document) (bool, error), error) { return c.condition(in, text) })
	}
	return err
}

// maxCondition is the number of steps that all patch conditions of a request may take: at most
// a tenth of a second, during which the container is locked.
const maxCondition = 20_000_000

// condition reads the condition of a patch of a document in a container.
func (c *call) condition(in *store.Container, text string) (func(*store.Document) (bool, error), error) {
	if c.locked == nil {
		c.locked = work.NewMeter(c.Context(), work.Limits{Steps: maxCondition})
	}
	return query.Condition(c.locked, text, in)
}

// itemActions are the kinds of actions of the operations on a single item.
var itemActions = map[string]store.ActionKind{
	OpCreateItem: store.Create, OpUpsertItem: store.Upsert, OpReadItem: store.Read,
	OpReplaceItem: store.Replace, OpDeleteItem: store.Delete, OpPatchItem: store.PatchItem,
}

// serveItem serves every operation on a single item.
func (s *Server) serveItem(call *call) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	a, err := call.action(c)
	if err != nil {
		return nil, err
	}
	var answer *reply
	err = c.Transact(a.Key, call.now, a.Kind == store.Read, func(t *store.Transaction) error {
		if err := call.admit(c, t.Range); err != nil {
			return err
		}
		done, err := t.Perform(a)
		if err != nil {
			answer = transactionReply(t, 0, 0, nil) // for its headers
			return err
		}
		answer = itemReply(call, a, t, done)
		return nil
	})
	return answer, err
}

// itemReply is the response with the outcome of an action.
func itemReply(call *call, a *store.Action, t *store.Transaction, done store.Outcome) *reply {
	answer := transactionReply(t, done.Status, done.Charge, done.Document.Raw)
	if done.Status != status.NoContent {
		answer.header["etag"] = done.Document.ETag()
	}
	if a.Kind == store.Read {
		answer.header["x-ms-item-lsn"] = strconv.FormatInt(done.Document.LSN, 10)
	}
	if done.Status == status.NotModified || done.Status == status.NoContent ||
		a.Kind != store.Read && wantsMinimal(call.Header) {
		answer.body = nil
	}
	return answer
}

// wantsMinimal reports whether the response to a write leaves out the document.
func wantsMinimal(h http.Header) bool {
	return strings.EqualFold(h.Get("Prefer"), "return=minimal")
}

// transactionReply is the response of the range of a transaction.
func transactionReply(t *store.Transaction, status int, charge float64, body []byte) *reply {
	return &reply{status: status, body: body, charge: charge, header: map[string]string{
		"x-ms-session-token":                  t.Range.SessionToken(),
		"lsn":                                 strconv.FormatInt(t.Range.LSN, 10),
		"x-ms-documentdb-partitionkeyrangeid": t.Range.ID,
	}}
}

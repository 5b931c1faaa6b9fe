package server

import (
	"net/http"
	"strconv"
	"strings"
)

// action reads the action on an item that a request asks for. It makes all checks that
// do not depend on stored documents.
func (call *call) action(c *container) (*action, error) {
	k, err := c.itemKey(call.Header.Get(headerPartitionKey))
	if err != nil {
		return nil, err
	}
	a := &action{
		kind:        itemActions[call.entry.Operation],
		key:         k,
		id:          call.target.item,
		ifMatch:     call.Header.Get("If-Match"),
		ifNoneMatch: call.Header.Get("If-None-Match"),
	}
	return a, readBody(c, a, call.body)
}

// readBody reads the body of an action.
func readBody(c *container, a *action, body []byte) error {
	var err error
	switch a.kind {
	case createItem, upsertItem:
		if a.in, err = c.incomingDocument(body, a.key); err == nil {
			a.id = a.in.id
		}
	case replaceItem:
		if a.in, err = c.incomingDocument(body, a.key); err == nil {
			err = changesID(a.in, a.id)
		}
	case patchItem:
		a.patch, err = parsePatch(body, patchCondition)
	}
	return err
}

// itemActions are the kinds of actions of the operations on a single item.
var itemActions = map[string]actionKind{
	OpCreateItem: createItem, OpUpsertItem: upsertItem, OpReadItem: readItem,
	OpReplaceItem: replaceItem, OpDeleteItem: deleteItem, OpPatchItem: patchItem,
}

// serveItem serves every operation on a single item.
func (s *Server) serveItem(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	a, err := call.action(c)
	if err != nil {
		return nil, err
	}
	var answer *reply
	err = c.transact(a.key, call.now, a.kind == readItem, func(t *transaction) error {
		if err := call.admit(c, t.r); err != nil {
			return err
		}
		done, err := t.perform(a)
		if err != nil {
			return err
		}
		answer = itemReply(call, a, t, done)
		return nil
	})
	return answer, err
}

// itemReply answers with the outcome of an action.
func itemReply(call *call, a *action, t *transaction, done outcome) *reply {
	answer := transactionReply(t, done.status, done.charge, done.doc.raw)
	if done.status != statusNoContent {
		answer.header["etag"] = done.doc.etag
	}
	if done.status == statusNotModified || done.status == statusNoContent ||
		a.kind != readItem && wantsMinimal(call.Header) {
		answer.body = nil
	}
	return answer
}

// wantsMinimal reports whether the answer to a write leaves out the document.
func wantsMinimal(h http.Header) bool {
	return strings.EqualFold(h.Get("Prefer"), "return=minimal")
}

// transactionReply answers for the range of a transaction.
func transactionReply(t *transaction, status int, charge float64, body []byte) *reply {
	return &reply{status: status, body: body, charge: charge, header: map[string]string{
		"x-ms-session-token":                  t.r.sessionToken(),
		"lsn":                                 strconv.FormatInt(t.r.lsn, 10),
		"x-ms-documentdb-partitionkeyrangeid": t.r.id,
	}}
}

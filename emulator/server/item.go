package server

import (
	"net/http"
	"strconv"
	"strings"
)

// incoming is a document that a client sent, or the result of a patch. It has been
// checked.
type incoming struct {
	id         string
	key        *key
	ttl        int64 // seconds, -1 for never, 0 for the default of the container
	properties []property
}

// incomingDocument reads a document that is to be stored under a key.
func (c *container) incomingDocument(body []byte, k *key) (*incoming, error) {
	list, err := parseObject(body)
	if err != nil {
		return nil, err
	}
	return c.checkDocument(list, k)
}

// checkDocument applies the rules for a document that is to be stored under a key.
func (c *container) checkDocument(list []property, k *key) (*incoming, error) {
	properties := propertyMap(list)
	id, err := documentID(properties, c.limits.Lenient)
	if err != nil {
		return nil, err
	}
	inBody, err := c.extractKey(properties)
	if err != nil {
		return nil, err
	}
	if inBody.text != k.text {
		return nil, keyMismatch()
	}
	ttl, err := parseTTL(properties["ttl"])
	if err != nil {
		return nil, err
	}
	return &incoming{id: id, key: k, ttl: ttl, properties: list}, nil
}

// changesID refuses a document whose id is not the id of the request.
func changesID(in *incoming, id string) error {
	if in.id == id {
		return nil
	}
	return badRequest("The id of the document, %q, is not the id of the request, %q: an id cannot be changed.", in.id, id)
}

// action reads the action on an item that a request asks for. It makes all checks that
// do not depend on stored documents.
func (c *container) action(call *call) (*action, error) {
	k, err := c.itemKey(call.Header)
	if err != nil {
		return nil, err
	}
	a := &action{
		kind:        call.entry.Operation,
		key:         k,
		id:          call.target.item,
		ifMatch:     call.Header.Get("If-Match"),
		ifNoneMatch: call.Header.Get("If-None-Match"),
	}
	return a, c.readBody(a, call.body)
}

// readBody reads the body of an action.
func (c *container) readBody(a *action, body []byte) error {
	var err error
	switch a.kind {
	case OpCreateItem, OpUpsertItem:
		if a.in, err = c.incomingDocument(body, a.key); err == nil {
			a.id = a.in.id
		}
	case OpReplaceItem:
		if a.in, err = c.incomingDocument(body, a.key); err == nil {
			err = changesID(a.in, a.id)
		}
	case OpPatchItem:
		a.patch, err = parsePatch(body)
	}
	return err
}

// serveItem serves every operation on a single item.
func (s *Server) serveItem(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	a, err := c.action(call)
	if err != nil {
		return nil, err
	}
	lock, unlock := c.lock, c.mu.Unlock
	if a.kind == OpReadItem {
		lock, unlock = c.rlock, c.mu.RUnlock
	}
	lock(call.now)
	defer unlock()
	t := c.begin(a.key, call.now)
	if err := c.admit(call, t.r); err != nil {
		return nil, err
	}
	done, err := t.perform(a)
	if err != nil {
		return nil, err
	}
	answer := t.reply(done.status, done.charge, done.doc.raw)
	if done.status != http.StatusNoContent {
		answer.header["etag"] = done.doc.etag
	}
	if done.status == http.StatusNotModified || done.status == http.StatusNoContent ||
		a.kind != OpReadItem && wantsMinimal(call.Header) {
		answer.body = nil
	}
	return answer, nil
}

// wantsMinimal reports whether the answer to a write leaves out the document.
func wantsMinimal(h http.Header) bool {
	return strings.EqualFold(h.Get("Prefer"), "return=minimal")
}

// reply answers for the range of a transaction.
func (t *transaction) reply(status int, charge float64, body []byte) *reply {
	return &reply{status: status, body: body, charge: charge, header: map[string]string{
		"x-ms-session-token":                  t.r.sessionToken(),
		"lsn":                                 strconv.FormatInt(t.r.lsn, 10),
		"x-ms-documentdb-partitionkeyrangeid": t.r.id,
	}}
}

// sessionToken is the token of a range after its last write.
func (r *keyRange) sessionToken() string {
	return r.id + ":-1#" + strconv.FormatInt(r.lsn, 10)
}

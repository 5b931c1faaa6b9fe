package emulator

import (
	"net/http"
	"strconv"
	"strings"
)

// incoming is a document that a client sent, checked against the header.
type incoming struct {
	id         string
	key        *key
	properties []property
}

// incomingDocument reads the body of a create, upsert or replace.
func (s *Server) incomingDocument(call *call, c *container) (*incoming, error) {
	k, err := c.itemKey(call.Header)
	if err != nil {
		return nil, err
	}
	list, err := parseObject(call.body)
	if err != nil {
		return nil, err
	}
	properties := propertyMap(list)
	id, err := documentID(properties, s.options.Lenient)
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
	if err := checkTTL(properties["ttl"]); err != nil {
		return nil, err
	}
	return &incoming{id: id, key: k, properties: list}, nil
}

// newVersion makes the document that is stored for what a client sent: a new one, or
// the next version of old.
func (c *container) newVersion(in *incoming, old *document, call *call) (*document, error) {
	d := &document{id: in.id, key: in.key, etag: newETag()}
	if old != nil {
		d.seq = old.seq
	} else {
		d.seq = c.nextDoc + 1
	}
	rid := ridText(childRID(c.rid, d.seq))
	d.raw = encodeDocument(in.properties, rid, c.self()+"docs/"+rid+"/", d.etag, call.now.Unix())
	if len(d.raw) > maxBody {
		return nil, tooLarge()
	}
	var err error
	if d.value, err = decodeValue(d.raw); err != nil {
		return nil, badRequest("The request payload is invalid. Ensure to provide a valid request payload: %v.", err)
	}
	if err := c.checkUnique(d); err != nil {
		return nil, err
	}
	c.nextDoc = max(c.nextDoc, d.seq)
	return d, nil
}

// writeItem creates an item, or, when the request says so, upserts it.
func (s *Server) writeItem(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	in, err := s.incomingDocument(call, c)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.find(in.key, in.id)
	status := http.StatusCreated
	if old != nil {
		if call.entry.Operation != OpUpsertItem {
			return nil, conflict()
		}
		// An If-Match on an upsert of an item that does not exist is ignored by
		// the service, so the check is in this branch only.
		if !matches(call.Header, old) {
			return nil, preconditionFailed()
		}
		status = http.StatusOK
	}
	return c.store(call, in, old, status)
}

// replaceItem replaces an item.
func (s *Server) replaceItem(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	in, err := s.incomingDocument(call, c)
	if err != nil {
		return nil, err
	}
	if in.id != call.target.item {
		return nil, badRequest("The id of the document, %q, is not the id of the request, %q: an id cannot be changed.", in.id, call.target.item)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.find(in.key, in.id)
	if old == nil {
		return nil, c.absent(call, in.key)
	}
	if !matches(call.Header, old) {
		return nil, preconditionFailed()
	}
	return c.store(call, in, old, http.StatusOK)
}

// store writes a document and answers with it. The caller holds the lock for
// writing.
func (c *container) store(call *call, in *incoming, old *document, status int) (*reply, error) {
	d, err := c.newVersion(in, old, call)
	if err != nil {
		return nil, err
	}
	r := c.put(d)
	answer := c.itemReply(call, r, d, status, writeCharge(len(d.raw)))
	if strings.EqualFold(call.Header.Get("Prefer"), "return=minimal") {
		answer.body = nil
	}
	return answer, nil
}

// readItem is a point read.
func (s *Server) readItem(call *call) (*reply, error) {
	c, d, unlock, err := s.locate(call, false)
	if err != nil {
		return nil, err
	}
	defer unlock()
	answer := c.itemReply(call, c.rangeOf(d.key.epk), d, http.StatusOK, readCharge(len(d.raw)))
	if none := call.Header.Get("If-None-Match"); none == d.etag || none == "*" {
		answer.status, answer.body, answer.charge = http.StatusNotModified, nil, chargeRefused
	}
	return answer, nil
}

// deleteItem deletes an item.
func (s *Server) deleteItem(call *call) (*reply, error) {
	c, d, unlock, err := s.locate(call, true)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if !matches(call.Header, d) {
		return nil, preconditionFailed()
	}
	answer := c.itemReply(call, c.remove(d), d, http.StatusNoContent, writeCharge(len(d.raw)))
	answer.body = nil
	delete(answer.header, "etag")
	return answer, nil
}

// locate finds the item that a request names, and locks its container.
func (s *Server) locate(call *call, write bool) (*container, *document, func(), error) {
	c, err := s.container(call)
	if err != nil {
		return nil, nil, nil, err
	}
	k, err := c.itemKey(call.Header)
	if err != nil {
		return nil, nil, nil, err
	}
	lock, unlock := c.mu.RLock, c.mu.RUnlock
	if write {
		lock, unlock = c.mu.Lock, c.mu.Unlock
	}
	lock()
	d := c.find(k, call.target.item)
	if d == nil {
		defer unlock()
		return nil, nil, nil, c.absent(call, k)
	}
	return c, d, unlock, nil
}

// absent is the answer for an item that is not in its logical partition. It
// notes in the journal which range was asked.
func (c *container) absent(call *call, k *key) *failure {
	call.entry.Range = c.rangeOf(k.epk).id
	return notFound()
}

// matches reports whether the If-Match of a request, if it has one, allows a change.
func matches(h http.Header, d *document) bool {
	want := h.Get("If-Match")
	return want == "" || want == "*" || want == d.etag
}

// itemReply answers with a document.
func (c *container) itemReply(call *call, r *keyRange, d *document, status int, charge float64) *reply {
	call.entry.Range = r.id
	return &reply{status: status, body: d.raw, charge: charge, header: map[string]string{
		"etag":                                d.etag,
		"x-ms-session-token":                  r.sessionToken(),
		"lsn":                                 strconv.FormatInt(r.lsn, 10),
		"x-ms-documentdb-partitionkeyrangeid": r.id,
	}}
}

// sessionToken is the token of a range after its last write.
func (r *keyRange) sessionToken() string {
	return r.id + ":-1#" + strconv.FormatInt(r.lsn, 10)
}

// checkUnique refuses a document that breaks a unique key: unique keys hold
// within a logical partition.
func (c *container) checkUnique(d *document) error {
	p := c.partitions[d.key.text]
	if p == nil {
		return nil
	}
	for _, paths := range c.unique {
		for _, other := range p.docs {
			if other.seq != d.seq && sameAt(d.value, other.value, paths) {
				return fail(http.StatusConflict, 0, "Unique index constraint violation.")
			}
		}
	}
	return nil
}

package store

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Incoming is a document that a client sent, or the result of a patch, after all checks.
type Incoming struct {
	ID         string
	key        *Key
	ttl        int64 // seconds, -1 for never, 0 for the default of the container
	properties []jsontext.Member
	seq        uint64 // for an entry of an index; 0 takes the next one of the container
}

// Incoming reads a document that is to be stored under a key.
func (c *Container) Incoming(body []byte, k *Key) (*Incoming, error) {
	list, err := jsontext.ParseObject(body)
	if err != nil {
		return nil, err
	}
	return c.checkDocument(list, k)
}

// checkDocument applies the rules for a document that is to be stored under a key.
func (c *Container) checkDocument(list []jsontext.Member, k *Key) (*Incoming, error) {
	properties := jsontext.ByName(list)
	id, err := documentID(properties, c.limits.Lenient)
	if err != nil {
		return nil, err
	}
	inBody, err := c.extractKey(properties)
	if err != nil {
		return nil, err
	}
	if inBody.Text != k.Text {
		return nil, status.KeyDiffers()
	}
	ttl, err := parseTTL(properties["ttl"])
	if err != nil {
		return nil, err
	}
	return &Incoming{ID: id, key: k, ttl: ttl, properties: list}, nil
}

// ChangesID refuses a document whose id is not the id of the request.
func ChangesID(in *Incoming, id string) error {
	if in.ID == id {
		return nil
	}
	return status.BadRequest("The id of the document, %q, is not the id of the request, %q: an id cannot be changed.", in.ID, id)
}

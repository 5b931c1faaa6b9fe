package unique

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// The properties of the protocol, which no user's struct has.
const (
	// Property is the property of reservations.
	Property = "_unique"
	// PendingProperty is the property of a document whose values are not its own yet.
	PendingProperty = "_pending"
	// TypeValue is what reservations say in the property that tells types, so that no
	// type of the container takes one for its document.
	TypeValue = "_pkgen-unique"
)

// Bound is how old a reservation is before somebody who wants its value fences a holder
// that does not have it, and how old a hidden document is before somebody who wants its
// id removes it. No safety depends on it: see docs/unique.md.
const Bound = 10 * time.Second

// Holder is what a reservation says.
type Holder struct {
	Type     string          `json:"type"`     // the name of the Go type, for readers
	Property string          `json:"property"` // the JSON name
	ID       string          `json:"id"`       // of the document that has the value
	Key      json.RawMessage `json:"key"`      // its partition key: a value, or a list of levels
	Token    string          `json:"token"`    // of the attempt that wrote the reservation
}

// HolderOf returns what a stored reservation says, and whether it is one.
func HolderOf(raw []byte) (h Holder, found bool, err error) {
	value := text.Member(raw, Property)
	if value == nil {
		return h, false, nil
	}
	if err = json.Unmarshal(value, &h); err == nil && (h.ID == "" || len(h.Key) == 0) {
		err = errors.New("it names no document")
	}
	if err != nil {
		err = fmt.Errorf("the property %s of the reservation is broken: remove the reservation with azcosmos: %w", Property, err)
	}
	return h, true, err
}

// Place returns where the document is that the reservation names.
func (h Holder) Place() (p wire.Place, err error) {
	p.ID = h.ID
	if err = json.Unmarshal(h.Key, &p.Value); err == nil && !wire.Expressible(p.Value) {
		err = errors.New("the reservation names a partition key that cannot be sent: remove it with azcosmos")
	}
	if err == nil {
		p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	}
	return p, err
}

// placeOf returns the place of a reservation. Each level of its key is the id.
func (s *Set) placeOf(id string) wire.Place {
	p := wire.Place{ID: id, Value: id}
	if s.Hierarchical {
		levels := make([]any, len(s.Paths))
		for i := range levels {
			levels[i] = id
		}
		p.Value = levels
	}
	p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	return p
}

// reservation returns the JSON of a reservation for the document at p. It never expires.
func (s *Set) reservation(r reserved, p wire.Place, token string) ([]byte, error) {
	key, err := json.Marshal(p.Value)
	if err != nil {
		return nil, err
	}
	holder, err := json.Marshal(Holder{Type: s.Type, Property: r.property, ID: p.ID, Key: key, Token: token})
	if err != nil {
		return nil, err
	}
	body := []byte(`{"id":` + strconv.Quote(r.id) + `,"` + Property + `":` + string(holder) + `,"ttl":-1}`)
	if d := s.Discriminator; d != nil {
		body, err = text.SetProperty(body, []string{d.Property}, []byte(strconv.Quote(TypeValue)))
	}
	for _, path := range s.Paths {
		if err == nil {
			body, err = text.SetText(body, path, r.id)
		}
	}
	return body, err
}

// pending is the property of a hidden document.
type pending struct {
	Token string `json:"token"` // of the attempt to create it
}

// withPending returns a document that is hidden.
func withPending(body []byte, token string) ([]byte, error) {
	value, err := json.Marshal(pending{token})
	if err != nil {
		return nil, err
	}
	return text.SetProperty(body, []string{PendingProperty}, value)
}

// IsPending reports whether a stored document is hidden, because its values are not its
// own yet.
func IsPending(raw []byte) bool {
	value := text.Member(raw, PendingProperty)
	return value != nil && string(value) != "null"
}

func pendingToken(raw []byte) string {
	var p pending
	if json.Unmarshal(text.Member(raw, PendingProperty), &p) != nil {
		return ""
	}
	return p.Token
}

// newToken returns a text that no other attempt has.
func newToken() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// neverTag is an ETag that no document has.
const neverTag azcore.ETag = `"00000000-0000-0000-0000-000000000000"`

// ageOf returns how long ago a document was written that an answer has, by the clock of
// the service in whole seconds.
func ageOf(answer azcosmos.ItemResponse) time.Duration {
	now := time.Now()
	if date, err := wire.DateOf(answer.RawResponse); err == nil {
		now = date
	}
	at, err := strconv.ParseInt(string(text.Member(answer.Value, "_ts")), 10, 64)
	if err != nil {
		return 0
	}
	return now.Sub(time.Unix(at, 0))
}

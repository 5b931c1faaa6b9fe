package unique

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// holderOf returns what a stored reservation says.
func holderOf(raw []byte) (reservation.Holder, error) {
	value := text.Member(raw, reservation.Property)
	if value == nil {
		return reservation.Holder{}, errors.New("the document of this id has no property _unique, so that it is not a reservation: remove it with azcosmos")
	}
	return reservation.HolderOf(value)
}

// placeIn returns where the document is that a reservation names.
func placeIn(h reservation.Holder) (p wire.Place, err error) {
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
	body, err := reservation.Body(r.id, reservation.Holder{Type: s.Type, Property: r.property, ID: p.ID, Key: key, Token: token})
	if d := s.Discriminator; d != nil && err == nil {
		body, err = text.SetProperty(body, []string{d.Property}, []byte(strconv.Quote(reservation.TypeValue)))
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
	Token string `json:"token"` // of the writer that creates it
}

// withPending returns a document that is hidden.
func withPending(body []byte, token string) ([]byte, error) {
	value, err := json.Marshal(pending{token})
	if err != nil {
		return nil, err
	}
	return text.SetProperty(body, []string{reservation.PendingProperty}, value)
}

// isPending reports whether a stored document is hidden, because its values are not its
// own yet.
func (s *Set) isPending(raw []byte) bool { return errors.Is(s.Judge(raw).Err, ErrPending) }

func pendingToken(raw []byte) string {
	var p pending
	if json.Unmarshal(text.Member(raw, reservation.PendingProperty), &p) != nil {
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

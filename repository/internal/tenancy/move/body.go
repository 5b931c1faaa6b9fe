package move

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// system are the properties that the service gives a document.
var system = []string{"_rid", "_self", "_etag", "_attachments", "_ts", "_lsn", "_metadata"}

func withoutSystem(raw []byte) []byte { return text.Without(raw, system) }

// copyOf returns a document as it is stored at the destination: byte for byte, without
// what the service adds. The time to live counts from its last write, so that it is
// reduced by the age of the document; nil is returned if that is over.
func (s *side) copyOf(raw []byte, now time.Time) ([]byte, error) {
	body := withoutSystem(raw)
	if s.ttl == nil {
		return body, nil // nothing expires
	}
	lifetime := s.lifetime(raw)
	if lifetime <= 0 {
		return body, nil
	}
	var written int64
	if err := json.Unmarshal(text.Member(raw, "_ts"), &written); err != nil {
		return nil, errors.New("a document has no _ts")
	}
	left := written + lifetime - now.Unix()
	if left <= 0 {
		return nil, nil
	}
	return text.SetProperty(body, []string{"ttl"}, fmt.Appendf(nil, "%d", left))
}

// lifetime returns the time to live of a document in seconds, of a container in which
// documents expire. It is not positive if the document has none that the service knows.
func (s *side) lifetime(raw []byte) (seconds int64) {
	own := text.Member(raw, "ttl")
	if own == nil {
		return int64(*s.ttl)
	}
	if json.Unmarshal(own, &seconds) != nil {
		return 0
	}
	return seconds
}

// Package chat keeps conversations, and the leases of a change feed.
package chat

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"example.com/platform"
)

type (
	// Conversation is of a user, whose address is the key.
	Conversation struct {
		ID    string         `json:"id"`
		Email string         `json:"email" cosmos:"pk,lower"`
		Title string         `json:"title"`
		Ended *time.Time     `json:"ended"`
		Meta  map[string]any `json:"meta,omitempty"`
	}

	// Message is of a conversation. Its id sorts by time.
	Message struct {
		platform.Expiring

		_              struct{}          `cosmos:"escape,sep=/"`
		ConversationID ULID              `json:"conversationId" cosmos:"pk,concat"`
		Channel        string            `json:"channel" cosmos:"pk,concat"`
		Parts          []json.RawMessage `json:"parts"`
		Tokens         struct{ In, Out int }
	}
)

// ULID sorts by time.
type ULID [16]byte

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// MarshalText writes hexadecimal digits in the alphabet of Crockford.
func (u ULID) MarshalText() ([]byte, error) {
	out := make([]byte, 0, 32)
	for _, b := range u {
		out = append(out, crockford[b>>4], crockford[b&15])
	}
	return out, nil
}

// UnmarshalText reads what MarshalText writes.
func (u *ULID) UnmarshalText(text []byte) error {
	if len(text) != 32 {
		return errors.New("not a ULID")
	}
	for i := range u {
		u[i] = digit(text[2*i])<<4 | digit(text[2*i+1])
	}
	return nil
}

func digit(c byte) byte {
	for i := range len(crockford) {
		if crockford[i] == c {
			return byte(i)
		}
	}
	return 0
}

// FeedLease says how far a range of a change feed has been read.
type FeedLease struct {
	_            struct{}          `cosmos:"container=leases,note=elsewhere"`
	ID           string            `json:"id" cosmos:"id,pk"`
	ETag         *azcore.ETag      `json:"_etag,omitempty"`
	LeaseToken   string            `json:"LeaseToken"`
	Owner        *string           `json:"Owner"`
	Continuation string            `json:"ContinuationToken"`
	Timestamp    time.Time         `json:"timestamp"`
	Properties   map[string]string `json:"properties"`
}

// Turn is one of a queue, and is retried.
type Turn struct {
	TurnID    string    `json:"id"`
	SessionID string    `json:"session_id"`
	CreatedAt time.Time `json:"created_at"`
	Status    Status    `json:"status"`
	Attempt   uint      `json:"attempt,omitempty"`
	_         struct{}  `cosmos:"container=turns,path=/storage_key,key=session/{SessionID}/{CreatedAt|day}.{TurnID%32}"`
	Upper     any       `json:"TURN_ID,omitempty"`
}

// Status is of a turn.
type Status int

// MarshalJSON writes a word.
func (s Status) MarshalJSON() ([]byte, error) {
	return json.Marshal([]string{"pending", "done"}[s&1])
}

// UnmarshalJSON reads a word.
func (s *Status) UnmarshalJSON(text []byte) error {
	*s = Status(0)
	if string(text) == `"done"` {
		*s = 1
	}
	return nil
}

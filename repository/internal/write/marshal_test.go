package write

import (
	"strings"
	"testing"
)

type embeddedMarshaler struct{}

func (embeddedMarshaler) MarshalJSON() ([]byte, error) { return []byte(`{"other":1}`), nil }

func TestMarshalChecksOwnMarshaler(t *testing.T) {
	type doc struct {
		embeddedMarshaler
		ID string `json:"id"`
	}
	_, err := marshal(&doc{ID: "1"}, "1")
	if err == nil || !strings.Contains(err.Error(), "wrote no id, or another one than that of the key") {
		t.Errorf("got %v", err)
	}
}

package table_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// guid is a UUID as libraries have it.
type guid [16]byte

func (g guid) MarshalText() ([]byte, error) {
	h := hex.EncodeToString(g[:])
	return []byte(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
}

func (g *guid) UnmarshalText(text []byte) error {
	_, err := hex.Decode(g[:], []byte(strings.ReplaceAll(string(text), "-", "")))
	return err
}

// event is a document as generated code describes it, with a property of each type.
type event struct {
	ID     string    `json:"id"`
	Device string    `json:"device"`
	Name   string    `json:"name"`
	Speed  int32     `json:"speed"`
	Big    int64     `json:"big"`
	Ratio  float64   `json:"ratio"`
	On     bool      `json:"on"`
	At     time.Time `json:"at"`
	GUID   guid      `json:"guid"`
	Raw    []byte    `json:"raw"`
	Maybe  *string   `json:"maybe"`
	Stored string    `json:"partitionKey"`
	ETag   string    `json:"_etag"`
}

type eventKey struct{ Device, ID string }

func (k eventKey) Validate() error {
	if k.Device == "" || k.ID == "" {
		return &partition.KeyError{Type: "event", Field: "Device", Reason: "is empty"}
	}
	return nil
}

func (e *event) Key() eventKey { return eventKey{e.Device, e.ID} }

// By hand: pkgen makes no partition key that equals a property, with a field for it.
var eventModel = generated.Model[event, eventKey]{
	Type: "event", Path: "/partitionKey",
	Key: (*event).Key, ID: func(k eventKey) string { return k.ID }, Text: func(k eventKey) string { return k.Device },
	Synthetic:  true,
	Stored:     func(e *event) *string { return &e.Stored },
	ETag:       func(e *event) *string { return &e.ETag },
	Properties: &generated.Properties{ID: "id", ETag: "_etag", Stored: "partitionKey"},
}

var eventFields = struct {
	ID    documents.String[event, string]
	Name  documents.String[event, string]
	Speed documents.Number[event, int32]
	Big   documents.Number[event, int64]
	Ratio documents.Number[event, float64]
	On    documents.Bool[event, bool]
	At    documents.Instant[event]
	GUID  documents.Text[event, guid]
	Maybe documents.String[event, string]
}{"id", "name", "speed", "big", "ratio", "on", "at", "guid", "maybe"}

func sample(i int) *event {
	e := &event{
		ID: fmt.Sprintf("e%03d", i), Device: fmt.Sprint("d", i%3), Name: fmt.Sprintf("it's %q ü 😀", fmt.Sprint(i)),
		Speed: int32(i), Big: int64(-i) << 40, Ratio: float64(i) * 1e20, On: i%2 == 0,
		At: time.Date(2024, 2, 29, 1, 2, 3, 456789000, time.UTC).Add(time.Duration(i) * time.Minute), GUID: guid{byte(i), 0xab}, Raw: []byte{byte(i)},
	}
	if i%4 == 0 {
		maybe := fmt.Sprint(i)
		e.Maybe = &maybe
	}
	return e
}

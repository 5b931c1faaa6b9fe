package tinkerpop_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

// tests are the tests of the package, which have one server, since it takes seconds to
// start.
type tests struct{ *testing.M }

func (t tests) Run() int {
	code := t.M.Run()
	if running != nil {
		running.stop()
	}
	return code
}

// running is the server, once a test has needed it.
var running *struct {
	*tinkerpop.Server
	stop func()
}

// server returns the server of all tests. If it cannot be installed or started, the test
// fails. No test of this package is parallel.
func server(t testing.TB) *tinkerpop.Server {
	t.Helper()
	if running == nil {
		s, stop, err := tinkerpop.Run("partitionKey")
		if err != nil {
			t.Fatal(err)
		}
		running = &struct {
			*tinkerpop.Server
			stop func()
		}{s, stop}
	}
	return running.Server
}

// Level is a type of its own with a text.
type Level [2]byte

// MarshalText is such as 7-1.
func (l Level) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d-%d", l[0], l[1]), nil }

// UnmarshalText reads what MarshalText has written.
func (l *Level) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%d-%d", &l[0], &l[1])
	return err
}

// Device is a vertex as generated code has one, written by hand.
type Device struct {
	ID      string    `json:"id"`
	Key     string    `json:"partitionKey"`
	Tenant  string    `json:"tenant"`
	Bucket  int       `json:"bucket"`
	Name    string    `json:"name,omitempty"`
	Speed   float64   `json:"speed"`
	Count   int64     `json:"count"`
	On      bool      `json:"on"`
	At      time.Time `json:"at"`
	Level   Level     `json:"level"`
	Comment *string   `json:"comment"`
	Seen    *int      `json:"seen"`
}

// DeviceKey identifies a Device.
type DeviceKey struct {
	Tenant string
	Bucket int
	ID     string
}

func (k DeviceKey) text() string { return fmt.Sprintf("%s.%d", k.Tenant, k.Bucket) }

// Validate checks the key.
func (k DeviceKey) Validate() error {
	return partition.Check("Device", partition.Text("Tenant", k.Tenant), partition.Key(k.text()), partition.ID(k.ID))
}

// Key returns the key of a document.
func key(d *Device) DeviceKey { return DeviceKey{d.Tenant, d.Bucket, d.ID} }

// By hand: this module does without generated code.
var deviceModel = generated.Model[Device, DeviceKey]{
	Type: "Device", Path: "/partitionKey", Key: key,
	ID: func(k DeviceKey) string { return k.ID }, Text: DeviceKey.text, Synthetic: true,
	Stored:     func(d *Device) *string { return &d.Key },
	Properties: &generated.Properties{ID: "id", Stored: "partitionKey"},
}

var fields = struct {
	ID      documents.String[Device, string]
	Name    documents.String[Device, string]
	Speed   documents.Number[Device, float64]
	Count   documents.Number[Device, int64]
	On      documents.Bool[Device, bool]
	At      documents.Instant[Device]
	Level   documents.Text[Device, Level]
	Comment documents.String[Device, string]
	Seen    documents.Number[Device, int]
}{"id", "name", "speed", "count", "on", "at", "level", "comment", "seen"}

// Site is a vertex of another label in the same graph, with a natural key.
type Site struct {
	ID  string `json:"id"`
	Key string `json:"partitionKey"`
}

// SiteKey identifies a Site.
type SiteKey struct{ Key, ID string }

// Validate checks the key.
func (k SiteKey) Validate() error {
	return partition.Check("Site", partition.Text("Key", k.Key), partition.Key(k.Key), partition.ID(k.ID))
}

// By hand: this module does without generated code.
var siteModel = generated.Model[Site, SiteKey]{
	Type: "Site", Path: "/partitionKey", Key: func(s *Site) SiteKey { return SiteKey{s.Key, s.ID} },
	ID: func(k SiteKey) string { return k.ID }, Text: func(k SiteKey) string { return k.Key },
	Properties: &generated.Properties{ID: "id"},
}

// Installed is an edge.
type Installed struct {
	ID    string    `json:"id"`
	Since time.Time `json:"since"`
	Note  *string   `json:"note"`
	Order int       `json:"order"`
}

var installedModel = gremlin.EdgeModel[Installed]{Type: "Installed", ID: func(e *Installed) string { return e.ID }}

// hostile are texts that could end a text of a traversal, or be one.
var hostile = []string{
	"", " ", "'", `"`, `\`, `\'`, `');g.V().drop();g.addV('x`, "${1+1}", "$", "b0", "__.drop()", "[1,2]", `{"@type":"g:Int64","@value":1}`,
	"\n\r\t\x00\x01\x1f\x7f", "é", "日本", "😀", "\u2028\u2029", "a\u0301", "null", "true", "0", "%27", "<script>&amp;", "\uFFFF", "\uE000",
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func ptr[T any](v T) *T { return &v }

package lease

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Range is an interval of effective partition keys, from Min to below Max.
type Range struct {
	Min, Max string
}

// token is how a lease by range is called.
func (r Range) token() string { return r.Min + "-" + r.Max }

// within reports whether all of r is in other.
func (r Range) within(other Range) bool {
	return partition.CompareEPK(other.Min, r.Min) <= 0 && partition.CompareEPK(r.Max, other.Max) <= 0
}

// Lease is a document that says who reads a part of the change feed, and how far.
type Lease struct {
	ID    string
	Token string // the id of a physical partition, or Min-Max of a range

	// Range is the part of the key space. A lease of JavaRange does not store it,
	// nor do old ones of DotNet: it is nil until the physical partition is looked up.
	Range *Range

	Owner string      // the worker that has the lease; empty if it is free
	Tag   string      // the service's ETag after which reading goes on; empty at the beginning
	Epoch int64       // how often the lease was acquired, as far as is known
	Time  time.Time   // when its owner wrote it last, by the owner's clock
	ETag  azcore.ETag // of the document

	Window Window // of a type with several containers

	byRange  bool // Token is a range: version 1
	versions bool // of the feed of all versions and deletions

	// container is the RID of the container, where the lease says so: in JavaRange,
	// whose ids have its name, until a program in Java writes the lease.
	container string

	stored []byte // the document as it was read, with the properties that are not known here; nil for a new one
}

// ByRange reports whether the lease is of a range of keys, and not of a physical
// partition.
func (l Lease) ByRange() bool { return l.byRange }

// Names of properties. DotNet and Java write the range under different ones.
const (
	nameID           = "id"
	nameVersion      = "version"
	nameToken        = "LeaseToken"
	nameOldToken     = "PartitionId" // of version 2 of the .NET library, which version 3 still reads
	nameOwner        = "Owner"
	nameContinuation = "ContinuationToken"
	nameTimestamp    = "timestamp"
	nameRange        = "FeedRange"
	nameJavaRange    = "feedRange"
	nameProperties   = "properties"
	nameMode         = "Mode"
	nameEpoch        = "pkgenEpoch"     // within properties: .NET keeps it, Java drops it
	nameContainer    = "pkgenContainer" // the same
)

// The modes of the change feed: latest versions, and all versions and deletions.
const (
	modeLatest   = "Incremental Feed"
	modeVersions = "Full-Fidelity Feed"
)

// stored is a lease as JSON. A property that another dialect lacks is nil.
type stored struct {
	ID           string           `json:"id"`
	ETag         azcore.ETag      `json:"_etag"`
	Version      *int             `json:"version"`
	Token        *string          `json:"LeaseToken"`
	OldToken     *string          `json:"PartitionId"`
	Range        *storedFeedRange `json:"FeedRange"`
	JavaRange    *storedFeedRange `json:"feedRange"`
	Owner        *string          `json:"Owner"`
	Continuation *string          `json:"ContinuationToken"`
	Timestamp    *string          `json:"timestamp"`
	Seconds      int64            `json:"_ts"`
	Mode         *string          `json:"Mode"`
	Properties   json.RawMessage  `json:"properties"`
}

type storedFeedRange struct {
	Range *storedRange `json:"Range"`
}

type storedRange struct {
	Min string `json:"min"`
	Max string `json:"max"`
}

// Parse reads a lease of this dialect. It returns an error if the document is one of
// another dialect.
func (d Dialect) Parse(document []byte) (Lease, error) {
	fields, err := membersOf(document)
	if err != nil {
		return Lease{}, fmt.Errorf("a lease cannot be read: %w", err)
	}
	l := Lease{ID: fields.ID, ETag: fields.ETag, stored: document}
	l.Token = deref(cmp.Or(fields.Token, fields.OldToken))
	if l.ID == "" || l.Token == "" {
		return l, fmt.Errorf("the document %.100q is no lease: it has no %s", l.ID, nameToken)
	}
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("the lease %.200q %s", l.ID, fmt.Sprintf(format, args...))
	}
	switch mode := deref(fields.Mode); {
	case mode == "" || strings.EqualFold(mode, modeLatest):
	case strings.EqualFold(mode, modeVersions):
		l.versions = true
	default:
		return l, wrong("is of the mode %.40q, which is not known", mode)
	}
	if found, ok := fields.dialect(); ok && found != d {
		return l, wrong("is of the dialect %s, not %s", found, d)
	}
	l.byRange = fields.Version != nil && *fields.Version == 1
	if r := cmp.Or(fields.Range, fields.JavaRange); r != nil && r.Range != nil {
		l.Range = &Range{r.Range.Min, r.Range.Max}
	}
	if l.Range != nil && partition.CompareEPK(l.Range.Min, l.Range.Max) >= 0 || l.byRange && l.Range == nil {
		return l, wrong("has no range of keys")
	}
	l.Owner = strings.TrimSpace(deref(fields.Owner))
	if l.Tag, err = d.tagOf(deref(fields.Continuation)); err != nil {
		return l, wrong("has a continuation that cannot be read: %s", err)
	}
	if l.Time, err = fields.time(); err != nil {
		return l, wrong("has a timestamp that cannot be read")
	}
	l.Epoch, l.Window = epochOf(fields.Properties), windowOf(fields.Properties)
	_ = json.Unmarshal(text.Member(fields.Properties, nameContainer), &l.container) // "" if it is no text
	return l, nil
}

// membersOf decodes a document by the exact names of its properties: encoding/json
// alone takes feedRange for FeedRange.
func membersOf(document []byte) (stored, error) {
	var all map[string]json.RawMessage
	var s stored
	if err := json.Unmarshal(document, &all); err != nil {
		return s, err
	}
	if all == nil {
		return s, errors.New("it is null")
	}
	for name, into := range map[string]any{
		nameID: &s.ID, "_etag": &s.ETag, nameVersion: &s.Version, nameToken: &s.Token, nameOldToken: &s.OldToken,
		nameRange: &s.Range, nameJavaRange: &s.JavaRange, nameOwner: &s.Owner, nameContinuation: &s.Continuation,
		nameTimestamp: &s.Timestamp, "_ts": &s.Seconds, nameMode: &s.Mode, nameProperties: &s.Properties,
	} {
		if raw, ok := all[name]; ok {
			if err := json.Unmarshal(raw, into); err != nil {
				return s, fmt.Errorf("property %s: %w", name, err)
			}
		}
	}
	return s, nil
}

// dialect returns the dialect that a lease must be of, and false if it may be of
// several.
func (s stored) dialect() (Dialect, bool) {
	switch {
	case s.JavaRange != nil:
		return JavaEPK, true
	case s.Version != nil || s.Range != nil || s.Mode != nil:
		return DotNet, true
	case s.Token == nil: // of an old .NET library
		return DotNet, true
	default:
		return JavaRange, !s.hasProperties()
	}
}

func (s stored) hasProperties() bool { return s.Properties != nil && string(s.Properties) != "null" }

// time returns the time that the owner has written, or else that of the service.
func (s stored) time() (time.Time, error) {
	written := deref(s.Timestamp)
	if written == "" {
		return time.Unix(s.Seconds, 0).UTC(), nil
	}
	written, _, _ = strings.Cut(written, "[") // Java's zone: 2026-01-02T03:04:05Z[UTC]
	t, err := time.Parse(time.RFC3339Nano, written)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04Z07:00", written) // Java leaves out seconds of zero
	}
	return t.UTC(), err
}

func epochOf(properties []byte) int64 {
	var epoch string
	if json.Unmarshal(text.Member(properties, nameEpoch), &epoch) != nil {
		return 0
	}
	n, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

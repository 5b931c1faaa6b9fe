package lease

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Range is an interval of effective partition keys, from Min to below Max.
type Range struct {
	Min, Max string
}

// token is the name of a lease by range.
func (r Range) token() string { return r.Min + "-" + r.Max }

// within reports whether all of r is in other.
func (r Range) within(other Range) bool {
	return partition.CompareEPK(other.Min, r.Min) <= 0 && partition.CompareEPK(r.Max, other.Max) <= 0
}

// Lease is a document that says which worker reads a part of the change feed, and how far.
type Lease struct {
	ID    string
	Token string // the id of a physical partition, or Min-Max of a range

	// Range is the part of the key space. Leases of JavaRange and old leases of DotNet do
	// not store it: it is nil until the physical partition is looked up.
	Range *Range

	Owner string      // the worker that holds the lease; empty if it is free
	Tag   string      // the service's ETag after which reading resumes; empty at the beginning
	Epoch int64       // how often the lease was acquired, as far as known
	Time  time.Time   // the time of the last write, by the owner's clock
	ETag  azcore.ETag // of the document

	Window Window // of a type with several containers

	byRange  bool // Token is a range: version 1 of leases
	versions bool // for the feed of all versions and deletions

	// container is the RID of the container, if the lease stores it: only in JavaRange,
	// whose ids have its name instead, and until a program in Java writes the lease.
	container string

	stored []byte // the document as read, with unknown properties; nil for a new lease
}

// ByRange reports whether the lease is for a range of keys, not for a physical partition.
func (l Lease) ByRange() bool { return l.byRange }

// Names of properties. DotNet and Java have different names for the range.
const (
	nameID           = "id"
	nameVersion      = "version"
	nameToken        = "LeaseToken"
	nameOldToken     = "PartitionId" // of version 2 of the .NET library; version 3 still reads it
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

// stored is a lease as JSON. A property that the dialect lacks is nil.
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

// Parse reads a lease of this dialect. A document of another dialect is an error.
func (d Dialect) Parse(document []byte) (Lease, error) {
	fields, err := membersOf(document)
	if err != nil {
		return Lease{}, fmt.Errorf("a lease cannot be read: %w", err)
	}
	l := Lease{ID: fields.ID, ETag: fields.ETag, stored: document}
	l.Token = deref(cmp.Or(fields.Token, fields.OldToken))
	if l.ID == "" || l.Token == "" {
		return l, fmt.Errorf("the document %.100q is not a lease: it has no %s", l.ID, nameToken)
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

// membersOf decodes a document by exact property names: encoding/json would take feedRange
// for FeedRange.
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

// dialect returns the only possible dialect of a lease, and false if several are possible.
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

// time returns the time that the owner wrote, or the service's time if there is none.
func (s stored) time() (time.Time, error) {
	written := deref(s.Timestamp)
	if written == "" {
		return time.Unix(s.Seconds, 0).UTC(), nil
	}
	written, _, _ = strings.Cut(written, "[") // Java writes a zone: 2026-01-02T03:04:05Z[UTC]
	t, err := time.Parse(time.RFC3339Nano, written)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04Z07:00", written) // Java omits seconds that are zero
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

// timeLayout is the layout of timestamps. .NET and Java both read it.
const timeLayout = "2006-01-02T15:04:05.0000000Z"

// property is a property to set in a document.
type property struct {
	name  string
	value any
}

// Encode returns a lease as the SDK of this dialect writes it. It keeps unknown properties
// of a lease that was read.
func (d Dialect) Encode(l Lease, m Monitored) ([]byte, error) {
	continuation, err := d.continuationOf(l, m)
	if err != nil {
		return nil, err
	}
	document, fields := l.stored, d.changing(l, continuation)
	if document == nil {
		document, fields = []byte("{}"), append(d.fixed(l), fields...)
	} else if l.Range != nil && d != JavaRange && text.Member(document, d.nameRange()) == nil {
		fields = append(fields, property{d.nameRange(), d.feedRange(*l.Range)}) // from an old library
	}
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if document, err = text.SetProperty(document, []string{f.name}, value); err != nil {
			return nil, fmt.Errorf("the lease %.200q: %w", l.ID, err)
		}
	}
	own := append([]property{{nameEpoch, strconv.FormatInt(l.Epoch, 10)}}, l.Window.properties()...) // .NET's properties are strings
	if d == JavaRange {
		own = append(own, property{nameContainer, m.RID})
	}
	for _, f := range own {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if document, err = text.SetProperty(document, []string{nameProperties, f.name}, value); err != nil {
			return nil, fmt.Errorf("the lease %.200q: %w", l.ID, err)
		}
	}
	return document, nil
}

// fixed returns the properties of a new lease that never change.
func (d Dialect) fixed(l Lease) []property {
	fields := []property{{nameID, l.ID}}
	if d != JavaRange {
		version := 0
		if l.byRange {
			version = 1
		}
		fields = append(fields, property{nameVersion, version})
	}
	fields = append(fields, property{nameToken, l.Token})
	if d != JavaRange && l.Range != nil {
		fields = append(fields, property{d.nameRange(), d.feedRange(*l.Range)})
	}
	if d == DotNet {
		mode := modeLatest
		if l.versions {
			mode = modeVersions
		}
		fields = append(fields, property{nameMode, mode})
	}
	return fields
}

// changing returns the properties that the owner of a lease writes.
func (d Dialect) changing(l Lease, continuation *string) []property {
	var owner, written *string
	if l.Owner != "" {
		owner = &l.Owner
	}
	if !l.Time.IsZero() {
		at := l.Time.UTC().Format(timeLayout)
		written = &at
	}
	return []property{{nameOwner, owner}, {nameContinuation, continuation}, {nameTimestamp, written}}
}

func (d Dialect) nameRange() string {
	if d == JavaEPK {
		return nameJavaRange
	}
	return nameRange
}

// feedRange returns the FeedRange of a lease. Java also writes which bounds are inclusive.
func (d Dialect) feedRange(r Range) any {
	if d == JavaEPK {
		return map[string]any{"Range": newJavaRange(r)}
	}
	return storedFeedRange{(*storedRange)(&r)}
}

// NewLease returns the lease of physical partition id, or of a range if id is empty. It
// resumes after tag.
func (d Dialect) NewLease(p Prefix, id string, r Range, tag string, now time.Time) Lease {
	l := Lease{Token: id, Range: &r, Tag: tag, Time: now}
	if id == "" {
		l.Token, l.byRange = r.token(), true
	}
	l.ID = p.leases() + l.Token
	return l
}

// javaState is the state of a Java change feed (ChangeFeedStateV1), which a lease of
// JavaEPK stores in Base64 as its continuation.
type javaState struct {
	V            int               `json:"V"`
	Rid          string            `json:"Rid"`
	Mode         string            `json:"Mode"`
	StartFrom    json.RawMessage   `json:"StartFrom"`
	Continuation *javaContinuation `json:"Continuation,omitempty"`
}

// javaContinuation is a FeedRangeCompositeContinuationImpl.
type javaContinuation struct {
	V            int             `json:"V"`
	Rid          string          `json:"Rid"`
	Continuation []javaComposite `json:"Continuation"`
	Range        storedRange     `json:"Range"`
}

type javaComposite struct {
	Token *string     `json:"token"`
	Range storedRange `json:"range"`
}

// javaRange is the range of a lease. Within the state, version 4.81 writes only the bounds.
type javaRange struct {
	Min          string `json:"min"`
	Max          string `json:"max"`
	MinInclusive bool   `json:"isMinInclusive"`
	MaxInclusive bool   `json:"isMaxInclusive"`
}

func newJavaRange(r Range) javaRange { return javaRange{r.Min, r.Max, true, false} }

const (
	javaLatest    = "INCREMENTAL"
	javaBeginning = `{"Type":"BEGINNING"}`
)

// tagOf returns the service's ETag in a continuation, or "".
func (d Dialect) tagOf(continuation string) (string, error) {
	if d != JavaEPK || continuation == "" {
		return continuation, nil
	}
	raw, err := base64.StdEncoding.DecodeString(continuation)
	if err != nil {
		return "", err
	}
	var s javaState
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", err
	}
	switch {
	case s.V != 1:
		return "", fmt.Errorf("it has version %d", s.V)
	case s.Mode != javaLatest:
		return "", fmt.Errorf("it is of the mode %.40q", s.Mode)
	case s.Continuation == nil || len(s.Continuation.Continuation) == 0:
		return "", nil
	case len(s.Continuation.Continuation) > 1:
		return "", errors.New("it has several parts")
	}
	return deref(s.Continuation.Continuation[0].Token), nil
}

// continuationOf returns the continuation of a lease, or nil at the beginning.
func (d Dialect) continuationOf(l Lease, m Monitored) (*string, error) {
	if l.Tag == "" {
		return nil, nil
	}
	if d != JavaEPK {
		return &l.Tag, nil
	}
	if l.Range == nil {
		return nil, fmt.Errorf("the lease %.200q has no range of keys", l.ID)
	}
	s := javaState{V: 1, Rid: m.javaLink(), Mode: javaLatest, StartFrom: json.RawMessage(javaBeginning)}
	var before string // keeps the start and the name of the container of another process
	if json.Unmarshal(text.Member(l.stored, nameContinuation), &before) == nil && before != "" {
		if raw, err := base64.StdEncoding.DecodeString(before); err == nil {
			s = javaState{}
			if err := json.Unmarshal(raw, &s); err != nil {
				return nil, err
			}
		}
	}
	s.Continuation = &javaContinuation{
		V: 1, Rid: s.Rid, Range: storedRange(*l.Range),
		Continuation: []javaComposite{{&l.Tag, storedRange(*l.Range)}},
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	encoded := base64.StdEncoding.EncodeToString(raw)
	return &encoded, nil
}

// javaLink is the name of a container in the state of a Java client. Other SDKs use the
// RID.
func (m Monitored) javaLink() string { return "/dbs/" + m.Database + "/colls/" + m.Container }

// Dialect is a form in which Microsoft's SDKs store leases. Processes that share leases
// must use one dialect: leases are not converted.
type Dialect int

const (
	// DotNet is the form of azure-cosmos-dotnet-v3: leases by the id of a physical
	// partition, or by range after a merge.
	DotNet Dialect = iota

	// JavaRange is the form of handleChanges in azure-sdk-for-java: leases by the id of a
	// physical partition. It cannot express a merge.
	JavaRange

	// JavaEPK is the form of handleLatestVersionChanges in azure-sdk-for-java: leases by
	// range, whose continuation is the state of a Java client.
	JavaEPK
)

// String returns the name of the dialect in options.
func (d Dialect) String() string {
	switch d {
	case DotNet:
		return "DotNet"
	case JavaRange:
		return "JavaRange"
	case JavaEPK:
		return "JavaEPK"
	}
	return fmt.Sprintf("Dialect(%d)", int(d))
}

// Monitored is the container whose changes are read.
type Monitored struct {
	Host      string // the host of the account's endpoint, without a port
	Database  string // the id
	Container string // the id
	RID       string // of the container
}

// Prefix begins the ids of all documents of a processor.
type Prefix string

// Prefix returns the prefix of the processor with this name.
func (d Dialect) Prefix(processor string, m Monitored) (Prefix, error) {
	if err := CheckName(processor); err != nil {
		return "", err
	}
	host, database, container := m.Host, m.Database, m.Container
	if d == DotNet {
		host = strings.ToLower(host) // as .NET's Uri does
	}
	if d != JavaRange {
		var err error
		if database, err = databaseRID(m.RID); err != nil {
			return "", err
		}
		container = m.RID
	}
	return Prefix(processor + host + "_" + database + "_" + container), nil
}

// maxName leaves room in an id of at most 1,023 bytes for the names of a database and a
// container, the host, and a range of two levels.
const maxName = 200

// CheckName returns an error if a processor cannot have a name, which begins the ids of its
// documents.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the name of the processor is empty: its leases need one")
	case len(name) > maxName:
		return fmt.Errorf("the name of the processor has %d bytes: it may have %d", len(name), maxName)
	case strings.ContainsAny(name, `/\?#`) || !utf8.ValidString(name) || strings.ContainsFunc(name, unsent):
		return fmt.Errorf("the name %q of the processor cannot begin an id: leave out / \\ ? #, control characters, and characters beyond U+FFFF such as emoji", name)
	}
	return nil
}

// unsent reports whether azcosmos 1.5.0 cannot send a character in a key.
func unsent(r rune) bool { return unicode.IsControl(r) || r > '\uFFFF' }

// Other documents of a processor.
func (p Prefix) info() string { return string(p) + ".info" } // exists once all leases were created
func (p Prefix) lock() string { return string(p) + ".lock" } // of the process that creates leases

// leases begins the ids of leases.
func (p Prefix) leases() string { return string(p) + ".." }

// databaseRID returns the RID of a container's database: the first four bytes of the
// container's RID.
func databaseRID(container string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(container, "-", "/"))
	if err != nil || len(raw) < 8 {
		return "", errors.New("the RID " + fmt.Sprintf("%.40q", container) + " is not that of a container")
	}
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(raw[:4]), "/", "-"), nil
}

package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// page decodes the response to a request for the changes after a lane's tag. Shared says
// that the response may have documents of other lanes. The returned error is about the
// whole page. An error about one document is in the page.
func (f *feed) page(ctx context.Context, l lane, response *wire.ChangePage, shared bool) (page, error) {
	p := page{step: step{lane: l}}
	after, err := f.after(l, response)
	if err != nil {
		return p, err
	}
	p.lag = -1
	if n := len(response.Items); n > 0 && len(after) == 1 { // else the other half is not read yet
		lag, _ := f.lagAfter(response, response.Items[n-1])
		p.lag = lag.Changes // -1 where the service does not tell
	}
	left := l.Passed
	for _, raw := range response.Items {
		if err := f.take(&p, raw, shared, &left); err != nil {
			failure := f.undecodable(raw, err)
			if f.leaveOut != nil && f.leaveOut(ctx, raw, failure) {
				continue
			}
			p.err = failure
			return p, nil
		}
	}
	if n := len(p.items); n > 0 && !f.versions {
		p.items[n-1].Passed = len(p.versions) // later versions are not for this feed
	}
	if len(after) == 1 {
		p.idle = response.RawResponse.StatusCode == http.StatusNotModified
		if p.idle || len(p.versions) > 0 && len(left) == len(l.Passed) {
			// They would have come first, as they did before: what is left was
			// changed or deleted.
			left = nil
		}
	}
	for i := range after {
		after[i].Passed = left
	}
	p.after = after
	return p, nil
}

// take adds a document to a page, unless it belongs to another lane. It is not
// delivered if it is among those left of a page that was delivered in part, if it
// is too old, or if it is of another type.
func (f *feed) take(p *page, raw []byte, shared bool, left *versions) error {
	if f.versions {
		return f.takeVersion(p, raw, shared)
	}
	if shared {
		epk, err := f.store.EPK(raw)
		if err != nil {
			return err
		}
		if !p.lane.has(epk) {
			return nil
		}
	}
	v, err := versionOf(raw)
	if err != nil {
		return err
	}
	if slices.Contains(*left, v) {
		*left = without(*left, versions{v})
		p.versions = append(p.versions, v)
		return nil
	}
	kind, owner, err := f.owner(raw)
	if err != nil {
		return err
	}
	if delivers, deleted := delivered(owner, raw); delivers {
		written, err := strconv.ParseInt(string(text.ValueAt(raw, tsPath)), 10, 64)
		if err != nil {
			return fmt.Errorf("_ts is no number: %w", err)
		}
		if written >= f.since {
			doc, err := owner.Decode(raw)
			if err != nil {
				return err
			}
			p.items = append(p.items, Item{doc, time.Unix(written, 0).UTC(), len(p.versions) + 1, kind, deleted, nil})
		}
	}
	p.versions = append(p.versions, v)
	return nil
}

// owner returns of which of the types a document is, and its store; nil if the feed
// leaves it out.
func (f *feed) owner(raw []byte) (kind int, owner *store.Store, err error) {
	if f.types == nil {
		if f.store.Owns(raw) {
			return 0, f.store, nil
		}
		return 0, nil, nil
	}
	for i, s := range f.types {
		if s.Owns(raw) {
			return i, s, nil
		}
	}
	if f.others {
		return 0, nil, nil
	}
	return 0, nil, errNoHandler
}

// delivered reports whether the feed has a document of a type, nil for none, and whether as a
// deletion. It does not matter whether the store shows deleted ones.
func delivered(owner *store.Store, raw []byte) (is, deleted bool) {
	if owner == nil {
		return false, false
	}
	v := owner.Judge(raw)
	deleted = v.State == store.Deleted
	return deleted || v.State == store.Shown, deleted
}

// errNoHandler is why a document stops a processor of several types.
var errNoHandler = errors.New("it is of a type that has no handler")

// tsPath is where a document has the second of its last write.
var tsPath = []string{"_ts"}

// continuation is the SDK's way to say where it goes on: a queue of parts of the
// key space (compositeContinuationToken in azcosmos 1.5.0). Here it has one part on
// the way there, and several on the way back if a physical partition was split.
type continuation struct {
	ResourceID string             `json:"resourceId"`
	Parts      []continuationPart `json:"continuation"`
}

type continuationPart struct {
	Min string `json:"minInclusive"`
	Max string `json:"maxExclusive"`
	Tag string `json:"continuationToken,omitempty"`
}

// continuationOf writes a lane as a continuation. It has no RID, so that the SDK
// puts there the container that it takes for the one of this name.
func continuationOf(l lane) string {
	text, err := json.Marshal(continuation{Parts: []continuationPart{{l.Min, l.Max, l.Tag}}})
	if err != nil { // texts only
		panic("repository: " + err.Error())
	}
	return string(text)
}

// after returns the lanes that a response leaves in place of l.
func (f *feed) after(l lane, response *wire.ChangePage) ([]lane, error) {
	var c continuation
	if err := json.Unmarshal([]byte(response.ContinuationToken), &c); err != nil {
		return nil, fmt.Errorf("the SDK's continuation %q cannot be read: %w", response.ContinuationToken, err)
	}
	if c.ResourceID != f.container || response.ResourceID != "" && response.ResourceID != f.container {
		return nil, ErrMadeAgain
	}
	lanes := make([]lane, len(c.Parts))
	for i, part := range c.Parts {
		lanes[i] = lane{Min: part.Min, Max: part.Max, Tag: part.Tag}
	}
	sortLanes(lanes)
	return lanes, covered(lanes, l.Min, l.Max)
}

// ErrMadeAgain is why reading cannot go on in a container that is no more.
var ErrMadeAgain = errors.New("the container was deleted and made again while its changes were read")

// MadeAgain reports whether the error of a page says so.
func MadeAgain(err error) bool {
	var failure *documents.Error
	return errors.Is(err, ErrMadeAgain) ||
		errors.As(err, &failure) && failure.Status == http.StatusBadRequest && route.Gone(err)
}

// failure is the error of a request, or of what it brought.
func (f *feed) failure(err error) *documents.Error {
	failure := wire.NewContainerError(Op, f.store.Type, "", err)
	var response *azcore.ResponseError
	if errors.As(err, &response) && response.RawResponse != nil && response.RawResponse.Request != nil {
		failure.Range = response.RawResponse.Request.Header.Get(route.HeaderRange)
	}
	switch {
	case errors.Is(err, ErrMadeAgain):
		failure.Note = f.anew()
	case failure.Status == http.StatusBadRequest && route.Gone(err):
		failure.Note = ErrMadeAgain.Error() + ": " + f.anew()
	}
	return failure
}

// anew is what to do after the container was made again.
func (f *feed) anew() string {
	if f.leased {
		return "call Run again, which starts over"
	}
	return "begin again without a cursor"
}

// undecodable is the error of a document that is not what T expects.
func (f *feed) undecodable(raw []byte, err error) *documents.Error {
	if f.versions {
		raw = text.Member(raw, current)
	}
	item, _ := store.Identify(f.store, raw) // as far as it can be
	note := "and it comes again until it decodes: store it again, or decode it by WithUnmarshal"
	if f.leased {
		note += ", or leave it out by OnEvent"
	}
	switch {
	case errors.Is(err, wire.ErrNewerDocument): // the error says what to do
		note = "and it comes again until then"
	case errors.Is(err, errNoHandler):
		note = "and it comes again until it has one: give the Mux a handler of its type, set LeaveOutOtherTypes, or leave it out by OnEvent"
	}
	name := f.store.Type
	if _, owner, _ := f.owner(raw); owner != nil {
		name = owner.Type
	}
	return &documents.Error{
		Op: Op, Type: name, ID: item.ID, PartitionKey: item.Partition, Err: err, Note: note,
	}
}

// passes reports whether a request that failed so may succeed later: as other
// requests, and also if the physical partition was split again and again meanwhile,
// or if the failure is not an answer of the service.
func passes(failure *documents.Error) bool {
	return failure.Status == http.StatusGone || wire.MayPass(failure) ||
		failure.Status == 0 && !errors.Is(failure, ErrMadeAgain)
}

// Version is what the feed of all versions and deletions says of a change.
type Version struct {
	Operation string // create, replace or delete
	Expired   bool   // a time to live has deleted the document
	ID        string
	Partition string // the partition key, as Identity has it
}

// The members of a change in that feed: the document after it, and what is said of it.
const (
	current  = "current"
	metadata = "metadata"
)

// operationDelete is the operation of a change by which a document goes.
const operationDelete = "delete"

// change is the metadata of a change. The identity is there of deletions.
type change struct {
	OperationType     string         `json:"operationType"`
	CRTS              int64          `json:"crts"`
	TimeToLiveExpired bool           `json:"timeToLiveExpired"`
	ID                string         `json:"id"`
	PartitionKey      map[string]any `json:"partitionKey"` // by path, without the slash at the beginning
}

// takeVersion is take of a change in the feed of all versions and deletions. A deletion
// does not say of which type the document was.
func (f *feed) takeVersion(p *page, raw []byte, shared bool) error {
	var c change
	if err := json.Unmarshal(text.Member(raw, metadata), &c); err != nil {
		return fmt.Errorf("its metadata do not decode: %w", err)
	}
	v := &Version{Operation: c.OperationType, Expired: c.TimeToLiveExpired, ID: c.ID}
	document := text.Member(raw, current)
	switch {
	case c.OperationType != operationDelete:
		if err := json.Unmarshal(text.ValueAt(document, wire.IDPath), &v.ID); err != nil {
			return errors.New("it has no id")
		}
	case c.ID == "" || c.PartitionKey == nil:
		return errors.New("a deletion does not name its document")
	case f.store.Hides(c.ID):
		return nil
	}
	key := f.keyOf(document, c.PartitionKey)
	if shared {
		epk, err := partition.EPK(key...)
		if err != nil {
			return err
		}
		if !p.lane.has(epk) {
			return nil
		}
	}
	v.Partition = wire.NameOf(key[0])
	if f.store.Hierarchical {
		v.Partition = wire.NameOf(key)
	}
	item := Item{Time: time.Unix(c.CRTS, 0).UTC(), Version: v}
	if c.OperationType != operationDelete {
		delivers, deleted := delivered(f.store, document)
		if !delivers {
			return nil
		}
		if deleted {
			item.Deleted, v.Operation = true, operationDelete
		}
		var err error
		if item.Doc, err = f.store.Decode(document); err != nil {
			return err
		}
	}
	p.items = append(p.items, item)
	return nil
}

// keyOf returns the partition key of a document, or that which a deletion names, one
// value for each level.
func (f *feed) keyOf(document []byte, named map[string]any) []any {
	values := make([]any, len(f.store.Paths))
	for i, path := range f.store.Paths {
		values[i] = partition.Undefined{}
		if named != nil {
			if v, ok := named[strings.TrimPrefix(path, "/")]; ok {
				values[i] = v
			}
			continue
		}
		if raw := text.ValueAt(document, jsonpointer.Names(path)); raw != nil {
			_ = json.Unmarshal(raw, &values[i]) // the service has stored it
		}
	}
	return values
}

// ErrVersions says that all versions and deletions cannot be read, or no more.
var ErrVersions = errors.New("all versions and deletes cannot be read")

// Why that may be. The service answers each with 400 and no sub status. Its text tells
// the first apart; no SDK knows a text for the last.
const (
	lacksVersions = "the account does not keep them: " +
		"it needs continuous backup and the feature, see https://aka.ms/ChangeFeed-AllVersionsAndDeletes"
	mayLackVersions = "not from now on either: the service's error has the reason; " +
		"where the account lacks continuous backup or the feature, see https://aka.ms/ChangeFeed-AllVersionsAndDeletes"
	refusedPosition = "the service refuses the saved progress, but would read from now on: the progress may be older than the account keeps changes, " +
		"which is as long as its continuous backup, or another program has changed the lease; " +
		"to continue from now, give the processor another name, and compare its results with the container"
	refusedVersions = "and the saved progress may be the reason: call Run again"
)

// notEnabled is in the text of the service's answer where the account lacks the feature.
const notEnabled = "'All Versions and Deletes' mode must be enabled"

// refused returns why the service refuses to read all versions of a part. Where its
// answer does not say whether the feed is refused or the position, a request from now on
// tells.
func (f *feed) refused(ctx context.Context, failure *documents.Error, l lane) *documents.Error {
	if !f.versions || failure.Status != http.StatusBadRequest || MadeAgain(failure) {
		return failure
	}
	failure.Kind = ErrVersions
	switch {
	case strings.Contains(failure.Err.Error(), notEnabled):
		failure.Note = lacksVersions
	case l.Tag == "":
		failure.Note = mayLackVersions
	default:
		l.Tag = ""
		var now *documents.Error
		switch err := f.next(ctx, l).err; {
		case err == nil:
			failure.Note = refusedPosition
		case errors.As(err, &now) && now.Status == http.StatusBadRequest:
			return f.refused(ctx, now, l)
		default:
			failure.Note = refusedVersions
		}
	}
	return failure
}

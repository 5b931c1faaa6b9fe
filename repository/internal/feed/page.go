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

// page decodes a page of changes. Shared says that it may have documents of other lanes.
// The returned error is about the whole page. An error about one document is in the page.
func (f *feed) page(ctx context.Context, l lane, response *wire.ChangePage, shared bool) (page, error) {
	p := page{step: step{lane: l}}
	after, err := f.after(l, response)
	if err != nil {
		return p, err
	}
	p.lag = -1
	if n := len(response.Items); n > 0 && len(after) == 1 { // otherwise the other half is not read yet
		lag, _ := f.lagAfter(response, response.Items[n-1])
		p.lag = lag.Changes // -1 if the service does not tell
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
		p.items[n-1].Passed = len(p.versions) // later versions are not delivered
	}
	if len(after) == 1 {
		p.idle = response.RawResponse.StatusCode == http.StatusNotModified
		if p.idle || len(p.versions) > 0 && len(left) == len(l.Passed) {
			// They would have come first, as before: the documents that are left were
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

// take adds a document to a page, unless it belongs to another lane. A document is not
// delivered if it is in left, which has the documents that were delivered before from this
// page, if it is too old, or if it is of another type.
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

// owner returns the index of a document's type and its store. The store is nil if the feed
// skips the document.
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

// delivered reports whether the feed delivers a document of owner, which may be nil, and
// whether as a deletion. It ignores whether the store shows deleted documents.
func delivered(owner *store.Store, raw []byte) (is, deleted bool) {
	if owner == nil {
		return false, false
	}
	v := owner.Judge(raw)
	deleted = v.State == store.Deleted
	return deleted || v.State == store.Shown, deleted
}

// errNoHandler is the error of a document of a type that the processor does not handle.
var errNoHandler = errors.New("it is of a type that has no handler")

var tsPath = []string{"_ts"}

// continuation is the SDK's continuation: a queue of parts of the key space
// (compositeContinuationToken in azcosmos 1.5.0). A request has one part, and an answer has
// several after a split.
type continuation struct {
	ResourceID string             `json:"resourceId"`
	Parts      []continuationPart `json:"continuation"`
}

type continuationPart struct {
	Min string `json:"minInclusive"`
	Max string `json:"maxExclusive"`
	Tag string `json:"continuationToken,omitempty"`
}

// continuationOf returns the continuation of a lane. It has no RID, so that the SDK inserts
// the RID in its cache for the container's name.
func continuationOf(l lane) string {
	text, err := json.Marshal(continuation{Parts: []continuationPart{{l.Min, l.Max, l.Tag}}})
	if err != nil { // texts only
		panic("repository: " + err.Error())
	}
	return string(text)
}

// after returns the lanes that follow l after a response.
func (f *feed) after(l lane, response *wire.ChangePage) ([]lane, error) {
	var c continuation
	if err := json.Unmarshal([]byte(response.ContinuationToken), &c); err != nil {
		return nil, fmt.Errorf("the SDK's continuation %q cannot be read: %w", response.ContinuationToken, err)
	}
	if c.ResourceID != f.container || response.ResourceID != "" && response.ResourceID != f.container {
		return nil, ErrCreatedAgain
	}
	lanes := make([]lane, len(c.Parts))
	for i, part := range c.Parts {
		lanes[i] = lane{Min: part.Min, Max: part.Max, Tag: part.Tag}
	}
	sortLanes(lanes)
	return lanes, covered(lanes, l.Min, l.Max)
}

// ErrCreatedAgain says that the container was deleted and created again.
var ErrCreatedAgain = errors.New("the container was deleted and created again while its changes were read")

// CreatedAgain reports whether err shows that the container was deleted and created again.
func CreatedAgain(err error) bool {
	var failure *documents.Error
	return errors.Is(err, ErrCreatedAgain) ||
		errors.As(err, &failure) && failure.Status == http.StatusBadRequest && route.Gone(err)
}

// failure returns the error of a request, or of its answer.
func (f *feed) failure(err error) *documents.Error {
	failure := wire.NewContainerError(Op, f.store.Type, "", err)
	var response *azcore.ResponseError
	if errors.As(err, &response) && response.RawResponse != nil && response.RawResponse.Request != nil {
		failure.Range = response.RawResponse.Request.Header.Get(route.HeaderRange)
	}
	switch {
	case errors.Is(err, ErrCreatedAgain):
		failure.Note = f.anew()
	case failure.Status == http.StatusBadRequest && route.Gone(err):
		failure.Note = ErrCreatedAgain.Error() + ": " + f.anew()
	}
	return failure
}

// anew returns what to do after the container was created again.
func (f *feed) anew() string {
	if f.leased {
		return "call Run again, which starts over"
	}
	return "begin again without a cursor"
}

// undecodable returns the error of a document that does not decode.
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

// passes reports whether a request may succeed later: for the errors of other requests,
// after repeated splits, and if the failure is not an answer of the service.
func passes(failure *documents.Error) bool {
	return failure.Status == http.StatusGone || wire.MayPass(failure) ||
		failure.Status == 0 && !errors.Is(failure, ErrCreatedAgain)
}

// Version describes a change in the feed of all versions and deletions.
type Version struct {
	Operation string // create, replace or delete
	Expired   bool   // deleted by its time to live
	ID        string
	Partition string // the partition key, as in Identity
}

// The members of a change in that feed: the document after the change, and its metadata.
const (
	current  = "current"
	metadata = "metadata"
)

// operationDelete is the operation of a deletion.
const operationDelete = "delete"

// change is the metadata of a change. Only deletions have an id and a partition key.
type change struct {
	OperationType     string         `json:"operationType"`
	CRTS              int64          `json:"crts"`
	TimeToLiveExpired bool           `json:"timeToLiveExpired"`
	ID                string         `json:"id"`
	PartitionKey      map[string]any `json:"partitionKey"` // by path, without the leading slash
}

// takeVersion is take in the feed of all versions and deletions. A deletion does not have
// the type of the document.
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

// keyOf returns the partition key of a document, or the named one of a deletion, with one
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

// ErrVersions says that all versions and deletions cannot be read, or not any more.
var ErrVersions = errors.New("all versions and deletes cannot be read")

// The possible reasons. The service answers all with 400 and no sub status. The text of its
// answer identifies the first; no SDK has a text for the last.
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

// notEnabled is in the service's answer if the account lacks the feature.
const notEnabled = "'All Versions and Deletes' mode must be enabled"

// refused returns the reason why the service refuses to read all versions of a part. If its
// answer does not say whether it refuses the feed or the position, refused tries a request
// from now on.
func (f *feed) refused(ctx context.Context, failure *documents.Error, l lane) *documents.Error {
	if !f.versions || failure.Status != http.StatusBadRequest || CreatedAgain(failure) {
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

package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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
		return errors.New("a deletion does not say of which document it is")
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
		if raw := text.ValueAt(document, text.Names(path)); raw != nil {
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
	mayLackVersions = "not from now on either: the service's error says why; " +
		"where the account lacks continuous backup or the feature, see https://aka.ms/ChangeFeed-AllVersionsAndDeletes"
	refusedPosition = "the service refuses the saved progress, and not to read from now on: the progress may be older than the account keeps changes, " +
		"which is as long as its continuous backup, or somebody has changed the lease; " +
		"to go on from now, give the processor another name, and compare what it keeps with the container"
	refusedVersions = "and whether the saved progress is the reason is not known: call Run again"
)

// notEnabled is in the text of the service's answer where the account lacks the feature.
const notEnabled = "'All Versions and Deletes' mode must be enabled"

// refused returns why the service refuses to read all versions of a part. Where its
// answer does not say whether the feed is refused or the position, a request from now on
// tells.
func (f *feed) refused(ctx context.Context, failure *wire.OperationError, l lane) *wire.OperationError {
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
		var now *wire.OperationError
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

package feed

import (
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
	if c.OperationType != "delete" {
		if err := json.Unmarshal(text.ValueAt(document, wire.IDPath), &v.ID); err != nil {
			return errors.New("it has no id")
		}
	} else if c.ID == "" || c.PartitionKey == nil {
		return errors.New("a deletion does not say of which document it is")
	}
	key := f.keyOf(document, c.PartitionKey)
	if shared {
		epk, err := partition.EPK(key...)
		if err != nil {
			return err
		}
		if partition.CompareEPK(epk, p.lane.Min) < 0 || partition.CompareEPK(epk, p.lane.Max) >= 0 {
			return nil
		}
	}
	v.Partition = wire.NameOf(key[0])
	if f.store.Hierarchical {
		v.Partition = wire.NameOf(key)
	}
	item := Item{Time: time.Unix(c.CRTS, 0).UTC(), Version: v}
	if c.OperationType != "delete" {
		if !f.store.Owns(document) {
			return nil
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

// Why all versions and deletions cannot be read. The service answers both with 400.
var (
	errNoVersions = errors.New("the account does not keep all versions and deletes: " +
		"it needs continuous backup and that feature, see https://aka.ms/ChangeFeed-AllVersionsAndDeletes")
	errTooOld = errors.New("the saved progress is older than the account keeps all versions and deletes, which is as long as its continuous backup: " +
		"what came after it is lost; to go on from now, give the processor another name, and compare what it keeps with the container")
)

// ErrVersions says that all versions and deletions cannot be read, or no more.
var ErrVersions = errors.New("all versions and deletes cannot be read")

// refused returns why the service refuses to read all versions after a tag.
func (f *feed) refused(failure *wire.OperationError, tag string) *wire.OperationError {
	if !f.versions || failure.Status != http.StatusBadRequest || MadeAgain(failure) {
		return failure
	}
	failure.Kind, failure.Note = ErrVersions, errNoVersions.Error()
	if tag != "" {
		failure.Note = errTooOld.Error()
	}
	return failure
}

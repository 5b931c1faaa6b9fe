package tenancy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Property is the property of fences and tombstones. These documents have no type, and
// repositories of types whose tenants move ignore them.
const Property = "_pkgenMove"

// HiddenCondition is the condition on c that excludes fences and tombstones.
const HiddenCondition = `NOT IS_DEFINED(c["` + Property + `"])`

// IsHidden reports whether a stored document is a fence or a tombstone.
func IsHidden(raw []byte) bool { return text.Member(raw, Property) != nil }

// Mark is the property of a fence or a tombstone.
type Mark struct {
	Kind  string `json:"kind"`
	Epoch int64  `json:"epoch,omitempty"` // of a fence: the epoch of the move that made it
	Open  bool   `json:"open"`            // of a fence: whether it accepts writes
	Copy  bool   `json:"copy,omitempty"`  // of a fence at the destination: whether the move of the epoch may write
	Count int64  `json:"n,omitempty"`     // of a fence: the number of writes with it
	ID    string `json:"id,omitempty"`    // of a tombstone: the id of the deleted document
}

// The kinds of marks.
const (
	KindFence = "fence"
	KindGone  = "gone"
)

// MarkOf returns the mark of a stored document, and whether it has one.
func MarkOf(raw []byte) (m Mark, found bool, err error) {
	value := text.Member(raw, Property)
	if value == nil {
		return m, false, nil
	}
	if err := json.Unmarshal(value, &m); err != nil {
		return m, true, fmt.Errorf("the property %s is not the one of a move: %w", Property, err)
	}
	return m, true, nil
}

// FenceID is the id of the fence of a tenant in its logical partition.
const FenceID = IDPrefix + "fence"

// IDPrefix is the prefix of the ids of fences and tombstones. No other document has it.
const IDPrefix = "_pkgen-"

// NewFence returns the fence of a tenant, whose text is the whole partition key at path. open
// is true where the tenant lives, and copying at the destination of its move. Where a tenant
// has been, the fence stays closed, so that it refuses late requests of a process that was
// stopped.
func NewFence(path, tenant string, epoch int64, open, copying bool) []byte {
	return marked(path, tenant, FenceID, Mark{Kind: KindFence, Epoch: epoch, Open: open, Copy: copying})
}

// FencePatch returns the operation with which the writes of a batch take effect only if the
// fence is open. It also makes a new version of the fence, which follows the writes in the
// change feed of the logical partition. Reading the fence in the batch would not be enough:
// another batch could close it at the same time.
func FencePatch() wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendIncrement("/"+Property+"/n", 1)
	p.SetCondition("FROM c WHERE c." + Property + ".open = true") // azcosmos does not escape it
	return p
}

// ClosePatch returns the patch that closes the fence of a move, both for writes and for the
// move itself. It is idempotent.
func ClosePatch(epoch int64) wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendSet("/"+Property+"/open", false)
	p.AppendSet("/"+Property+"/copy", false)
	p.SetCondition(fmt.Sprintf("FROM c WHERE c.%s.epoch = %d", Property, epoch))
	return p
}

// ArmPatch returns the patch that gives a fence to a later move, or to a process that
// continues a move.
func ArmPatch(epoch int64, open, copying bool) wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendSet("/"+Property+"/epoch", epoch)
	p.AppendSet("/"+Property+"/open", open)
	p.AppendSet("/"+Property+"/copy", copying)
	p.SetCondition(fmt.Sprintf("FROM c WHERE c.%s.epoch < %d", Property, epoch))
	return p
}

// CopyPatch is [FencePatch] for batches of a move at the destination: they take effect only
// while the fence has the epoch of the move.
func CopyPatch(epoch int64) wire.PatchOperations {
	return counting(fmt.Sprintf("c.%s.epoch = %d AND c.%s.copy = true", Property, epoch, Property))
}

// RemovePatch is [FencePatch] for batches that remove documents from the old place.
func RemovePatch(epoch int64) wire.PatchOperations {
	return counting(fmt.Sprintf("c.%s.epoch = %d AND c.%s.open = false", Property, epoch, Property))
}

func counting(condition string) wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendIncrement("/"+Property+"/n", 1)
	p.SetCondition("FROM c WHERE " + condition)
	return p
}

// TombstoneID returns the id of the tombstone of a document that was deleted while its tenant
// moved.
func TombstoneID(id string) string {
	sum := sha256.Sum256([]byte(id))
	return IDPrefix + "gone-" + hex.EncodeToString(sum[:])
}

// NewTombstone returns the document that a deletion stores in the same batch while a tenant
// moves, so that the change feed shows the deletion. If a document is later stored under the
// id, it comes later in the feed.
func NewTombstone(path, tenant, id string) []byte {
	return marked(path, tenant, TombstoneID(id), Mark{Kind: KindGone, ID: id})
}

// marked returns a document with a mark under a partition key. The container's default time to
// live does not apply to it.
func marked(path, tenant, id string, m Mark) []byte {
	document := map[string]any{"id": id, Property: m, "ttl": -1}
	inner := document
	names := jsonpointer.Names(path)
	for _, name := range names[:len(names)-1] {
		next := map[string]any{}
		inner[name] = next
		inner = next
	}
	inner[names[len(names)-1]] = tenant
	raw, err := json.Marshal(document)
	if err != nil { // texts, numbers and bools
		panic("repository: a mark that JSON cannot have: " + err.Error())
	}
	return raw
}

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

// Property is the property of fences and tombstones, which are documents of no type:
// repositories of types whose tenants move leave them out.
const Property = "_pkgenMove"

// HiddenCondition is the condition on c that a document is neither a fence nor a
// tombstone.
const HiddenCondition = `NOT IS_DEFINED(c["` + Property + `"])`

// IsHidden reports whether a stored document is a fence or a tombstone.
func IsHidden(raw []byte) bool { return text.Member(raw, Property) != nil }

// Mark is the property of a fence or a tombstone.
type Mark struct {
	Kind  string `json:"kind"`
	Epoch int64  `json:"epoch,omitempty"` // of a fence: of the move that made it
	Open  bool   `json:"open"`            // of a fence: writes are taken
	Copy  bool   `json:"copy,omitempty"`  // of a fence where a tenant is moved to: the move of the epoch writes
	Count int64  `json:"n,omitempty"`     // of a fence: how many writes it was in
	ID    string `json:"id,omitempty"`    // of a tombstone: of the document that was deleted
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

// IDPrefix is what the ids of fences and tombstones begin with, and those of no document.
const IDPrefix = "_pkgen-"

// NewFence returns the fence of a tenant, which is the whole partition key at path. Open
// is where the tenant lives, copying where it is moved to. The fence stays, closed, where
// a tenant has been: so whatever a process that was stopped sends later is refused there.
func NewFence(path, tenant string, epoch int64, open, copying bool) []byte {
	return marked(path, tenant, FenceID, Mark{Kind: KindFence, Epoch: epoch, Open: open, Copy: copying})
}

// FencePatch returns the operation of a batch with which all its writes take effect only
// if the fence is open, and by which the fence's next version comes after them in the
// change feed of the logical partition. A batch that only reads the fence would not do:
// another could close it at the same time.
func FencePatch() wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendIncrement("/"+Property+"/n", 1)
	p.SetCondition("FROM c WHERE c." + Property + ".open = true") // azcosmos does not escape it
	return p
}

// ClosePatch returns the patch that closes the fence of a move, for writes and for the
// move's own. The result of closing it twice is that of once.
func ClosePatch(epoch int64) wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendSet("/"+Property+"/open", false)
	p.AppendSet("/"+Property+"/copy", false)
	p.SetCondition(fmt.Sprintf("FROM c WHERE c.%s.epoch = %d", Property, epoch))
	return p
}

// ArmPatch returns the patch that makes a fence that of a later move, or of a process
// that goes on with one.
func ArmPatch(epoch int64, open, copying bool) wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendSet("/"+Property+"/epoch", epoch)
	p.AppendSet("/"+Property+"/open", open)
	p.AppendSet("/"+Property+"/copy", copying)
	p.SetCondition(fmt.Sprintf("FROM c WHERE c.%s.epoch < %d", Property, epoch))
	return p
}

// CopyPatch is [FencePatch] for batches of a move at the destination: they take effect
// only while the move is the one of the fence.
func CopyPatch(epoch int64) wire.PatchOperations {
	return counting(fmt.Sprintf("c.%s.epoch = %d AND c.%s.copy = true", Property, epoch, Property))
}

// RemovePatch is [FencePatch] for batches that remove what has moved.
func RemovePatch(epoch int64) wire.PatchOperations {
	return counting(fmt.Sprintf("c.%s.epoch = %d AND c.%s.open = false", Property, epoch, Property))
}

func counting(condition string) wire.PatchOperations {
	var p wire.PatchOperations
	p.AppendIncrement("/"+Property+"/n", 1)
	p.SetCondition("FROM c WHERE " + condition)
	return p
}

// TombstoneID returns the id of the document that says that the one of an id was deleted
// while its tenant moved.
func TombstoneID(id string) string {
	sum := sha256.Sum256([]byte(id))
	return IDPrefix + "gone-" + hex.EncodeToString(sum[:])
}

// NewTombstone returns what a deletion stores while a tenant moves, in the same batch, so
// that the change feed tells of it. A document that is stored later under the id comes
// later in the feed.
func NewTombstone(path, tenant, id string) []byte {
	return marked(path, tenant, TombstoneID(id), Mark{Kind: KindGone, ID: id})
}

// marked returns a document with a mark under a partition key. It outlives a time to live
// that its container has.
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

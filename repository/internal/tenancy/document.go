package tenancy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Document is what the directory knows of a tenant: an item of a container whose
// partition key is the id. A tenant without a document is settled in the shared
// container.
type Document struct {
	ID        string          `json:"id"`
	Shared    string          `json:"shared"`              // the id of the shared container
	Tenant    string          `json:"tenant"`              // as its partition key has it
	Container string          `json:"container,omitempty"` // where it lives; empty is the shared one
	State     State           `json:"state"`
	Version   int64           `json:"version"`        // grows with each change
	Switches  int64           `json:"switches"`       // grows when Container changes
	Move      json.RawMessage `json:"move,omitempty"` // what a move notes for the one who goes on with it
	ETag      azcore.ETag     `json:"_etag,omitempty"`
}

// maxID is how many characters the id of a document has at most, which is what all
// versions of the service take.
const maxID = 255

// DocumentID returns the id of a tenant's document. Two tenants, and one tenant in two
// containers, never have one id: the text after the last dot is the tenant, in which
// there are no dots. Of a tenant whose text is too long it is a hash.
func DocumentID(shared, tenant string) string {
	id := partition.AppendContainerText([]byte(shared+"."), tenant, "")
	if len(id) <= maxID {
		return string(id)
	}
	sum := sha256.Sum256([]byte(tenant))
	return shared + ".~" + hex.EncodeToString(sum[:])
}

// NewDocument returns what holds of a tenant that has no document.
func NewDocument(shared, tenant string) Document {
	return Document{ID: DocumentID(shared, tenant), Shared: shared, Tenant: tenant, State: Settled}
}

// ParseDocument reads a document of the directory, as it is stored.
func ParseDocument(raw []byte) (Document, error) {
	var d Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, fmt.Errorf("the directory has a document of another program: %w", err)
	}
	switch {
	case d.ID != DocumentID(d.Shared, d.Tenant):
		return d, fmt.Errorf("the directory's document %q is not the one of the tenant in it: remove what others have stored there", d.ID)
	case d.State != Settled && d.State != Moving && d.State != Closed:
		return d, fmt.Errorf("the directory's document %q has a state that this version does not know: update the program", d.ID)
	}
	return d, nil
}

// Residence returns what the document says, for a process that began to read it at a time
// of the monotonic clock.
func (d *Document) Residence(began time.Time, t Times) Residence {
	return Residence{
		Container: d.Container, State: d.State, Version: d.Version, Switches: d.Switches,
		Until: began.Add(t.TTL), Grace: t.Grace,
	}
}

// settings is the document that has the times of a directory. No document of a tenant has
// its id, which has no dot.
type settings struct {
	ID    string `json:"id"`
	TTL   int64  `json:"ttlMilliseconds"`
	Grace int64  `json:"graceMilliseconds"`
}

const settingsID = "settings"

func newSettings(t Times) settings {
	return settings{settingsID, t.TTL.Milliseconds(), t.Grace.Milliseconds()}
}

func (s settings) times() (Times, error) {
	t := Times{time.Duration(s.TTL) * time.Millisecond, time.Duration(s.Grace) * time.Millisecond}
	if s.ID != settingsID || t.TTL <= 0 || t.TTL > MaxTTL || t.Grace <= 0 {
		return t, fmt.Errorf("the directory's document %q does not have the times of a directory: remove what others have stored there", settingsID)
	}
	return t, nil
}

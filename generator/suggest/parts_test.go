package suggest

import (
	"strings"
	"testing"
)

const partsSource = `package m

import "time"

type Order struct {
	ID       string   ` + "`json:\"id\"`" + `
	Customer string   ` + "`json:\"customer\"`" + `
	Details  *Details ` + "`json:\"details\"`" + `
}

// Details is no document: it has no id.
type Details struct {
	Groups []struct {
		Lines map[string]Line ` + "`json:\"lines\"`" + `
	} ` + "`json:\"groups\"`" + `
}

type Line struct {
	ID      string ` + "`json:\"id\"`" + `
	Product string ` + "`json:\"productId\"`" + `
}

type Lease struct {
	ID      string    ` + "`json:\"id\"`" + `
	Owner   string    ` + "`json:\"owner\"`" + `
	Expires time.Time ` + "`json:\"expires\"`" + `
}

type Job struct {
	ID         string ` + "`json:\"id\"`" + `
	LeaseOwner string ` + "`json:\"leaseOwner\"`" + `
}

type House struct {
	ID    string ` + "`json:\"id\"`" + `
	Owner string ` + "`json:\"owner\"`" + `
}

// Store keeps documents in memory, and they are documents all the same.
type Store struct {
	*cache
}

type cache struct{ houses map[string]House }
`

// TestPartsAndLeases proposes no key for a part of a part of a document, and none
// that says who holds a lease.
func TestPartsAndLeases(t *testing.T) {
	result := find(t, Options{Dir: module(t, map[string]string{"m.go": partsSource})})
	want := map[string]string{"Order": "Customer pk", "Lease": "ID id,pk", "Job": "ID id,pk", "House": "Owner pk"}
	for _, p := range result.Proposals {
		if got := p.Tags[0].Field + " " + p.Tags[0].Words; got != want[p.Type] {
			t.Errorf("%s: %s, want %q", p.Type, got, want[p.Type])
		}
		rejected := strings.Join(p.Rejected, "; ")
		if lease := p.Type == "Lease" || p.Type == "Job"; lease != strings.Contains(rejected, "it says who holds a lease or a lock") {
			t.Errorf("%s: rejected %q", p.Type, rejected)
		}
		delete(want, p.Type)
	}
	for name := range want {
		t.Errorf("no proposal for %s", name)
	}
	for _, s := range result.Skipped {
		if s.Type == "Line" && strings.HasPrefix(s.Reason, "Order holds it") {
			return
		}
	}
	t.Errorf("Line is not left alone as a part of Order: %v", result.Skipped)
}

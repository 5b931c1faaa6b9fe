package containers

import (
	"cmp"
	"strings"
)

// LastWriterWins is the mode that keeps the write with the greatest number at a path.
const LastWriterWins = "LastWriterWins"

// ByTime is the path by which the last writer wins by default: the second of the write.
const ByTime = "/_ts"

// LastWriter returns the policy by which the last writer wins, nil for no path.
func LastWriter(path string) *ConflictPolicy {
	if path == "" {
		return nil
	}
	return &ConflictPolicy{Mode: LastWriterWins, Path: path}
}

// resolved returns the policy with the defaults of the service, which a container without one has.
func (p *ConflictPolicy) resolved() ConflictPolicy {
	if p == nil {
		p = &ConflictPolicy{}
	}
	if mode := cmp.Or(p.Mode, LastWriterWins); !strings.EqualFold(mode, LastWriterWins) {
		return ConflictPolicy{Mode: mode, Procedure: p.Procedure}
	}
	return ConflictPolicy{Mode: LastWriterWins, Path: "/" + strings.Join(Names(cmp.Or(p.Path, ByTime)), "/")}
}

// String describes the policy.
func (p *ConflictPolicy) String() string {
	r := p.resolved()
	return r.Mode + " by " + cmp.Or(r.Path, r.Procedure, "the conflicts feed")
}

// compareConflicts compares how conflicts are resolved, which a container is created with ("Manage
// conflict resolution policies in Azure Cosmos DB").
func compareConflicts(have, want *ConflictPolicy) []Finding {
	if want == nil || have.resolved() == want.resolved() {
		return nil
	}
	return []Finding{{Difference: Difference{Property: "conflictResolutionPolicy", Have: have.String(), Want: want.String(), Why: immutable}}}
}

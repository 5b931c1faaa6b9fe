package containers

import (
	"cmp"
	"strings"
)

// LastWriterWins is the mode that keeps the write with the greatest number at a path.
const LastWriterWins = "LastWriterWins"

// ByTime is the default path of LastWriterWins: the second of the write.
const ByTime = "/_ts"

// LastWriter returns the LastWriterWins policy for a path, or nil for "".
func LastWriter(path string) *ConflictPolicy {
	if path == "" {
		return nil
	}
	return &ConflictPolicy{Mode: LastWriterWins, Path: path}
}

// resolved returns the policy with the service's defaults, which also apply without a policy.
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

// compareConflicts compares the conflict resolution policies, which are fixed when a container is
// created ("Manage conflict resolution policies in Azure Cosmos DB").
func compareConflicts(have, want *ConflictPolicy) []Finding {
	if want == nil || have.resolved() == want.resolved() {
		return nil
	}
	return []Finding{{Difference: Difference{Property: "conflictResolutionPolicy", Have: have.String(), Want: want.String(), Why: immutable}}}
}

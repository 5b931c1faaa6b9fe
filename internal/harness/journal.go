package harness

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// Sent counts the requests of some operations, such as emulator.OpReadItem, since
// ResetRequests.
func (a *Account) Sent(operations ...string) int {
	n := 0
	for _, r := range a.Requests() {
		if slices.Contains(operations, r.Operation) {
			n++
		}
	}
	return n
}

// Counts counts the requests of each operation since ResetRequests.
func (a *Account) Counts() map[string]int {
	return a.counts(func(string) bool { return true })
}

// Documents counts the requests for single documents and for pages of queries, by operation,
// since ResetRequests.
func (a *Account) Documents() map[string]int {
	return a.counts(func(operation string) bool {
		switch operation {
		case emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpReplaceItem, emulator.OpDeleteItem,
			emulator.OpReadItem, emulator.OpQueryItems:
			return true
		}
		return false
	})
}

func (a *Account) counts(of func(operation string) bool) map[string]int {
	counts := map[string]int{}
	for _, r := range a.Requests() {
		if of(r.Operation) {
			counts[r.Operation]++
		}
	}
	return counts
}

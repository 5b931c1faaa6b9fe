package query

import "testing"

// TestOneContainer has documents of a container and of the one that was made
// after it arrive in one query.
func TestOneContainer(t *testing.T) {
	var e execution
	for i, rid := range []string{"old", "old", "new"} {
		if got := e.from(rid); got != (rid == "old") {
			t.Errorf("document %d, of the %s container: %v", i, rid, got)
		}
	}
}

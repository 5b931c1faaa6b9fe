package store

import (
	"strings"
	"testing"
	"time"
)

// TestFirstLineOfAFile checks that nothing on it is passed over.
func TestFirstLineOfAFile(t *testing.T) {
	_, err := New(keptLimits).Import(strings.NewReader(keptLine+` {"id":"1","pk":"1"}`), time.Unix(1000, 0))
	if err == nil || !strings.Contains(err.Error(), "line 1: there is more on the line") {
		t.Errorf("a document on the first line: %v", err)
	}
}

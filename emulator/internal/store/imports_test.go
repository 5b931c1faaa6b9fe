package store

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestNoHTTP holds the store to what its package comment says, so that other protocols
// and a store on disk need only this package.
func TestNoHTTP(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(strings.Fields(string(out)), "net/http") {
		t.Error("the store depends on net/http")
	}
}

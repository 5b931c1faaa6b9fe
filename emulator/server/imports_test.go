package server

import (
	"os/exec"
	"strings"
	"testing"
)

// TestNoSDK holds the server to what its package comment says: it is part of the
// pkgen command, and an SDK would double the size of that.
func TestNoSDK(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(name, "github.com/Azure/") {
			t.Errorf("the server depends on %s", name)
		}
	}
}

package generator

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// TestKeyChangeIsToldApart sees what the error of a result matches.
func TestKeyChangeIsToldApart(t *testing.T) {
	refused, wrong, note := Diagnostic{Severity: Refused, Message: "r"}, Diagnostic{Message: "e"}, Diagnostic{Severity: Note, Message: "n"}
	for _, tt := range []struct {
		found     []Diagnostic
		keyChange bool
		want      string
	}{
		{nil, false, ""},
		{[]Diagnostic{note}, false, ""},
		{[]Diagnostic{note, refused, refused}, true, "a partition key would change:\nrefused: r\nrefused: r"},
		{[]Diagnostic{refused, note, wrong}, false, "r\ne"},
	} {
		r := &Result{Diagnostics: tt.found}
		err, commit := r.Err(), r.Commit()
		if (err != nil) != (tt.want != "") || (commit != nil) != (err != nil) {
			t.Errorf("%v: got %v, %v", tt.found, err, commit)
		}
		if errors.Is(err, ErrKeyChange) != tt.keyChange || errors.Is(commit, ErrKeyChange) != tt.keyChange {
			t.Errorf("%v: %v matches ErrKeyChange", tt.found, err)
		}
		if err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("got %q, want %q", err, tt.want)
		}
	}
}

// TestCommitOrder sees that a lock is written before what it is about, and
// removed after it.
func TestCommitOrder(t *testing.T) {
	file := func(name, text string) File {
		f := File{Path: filepath.Join("folder", name)}
		if text != "" {
			f.New = []byte(text)
		}
		return f
	}
	want := []File{file(lock.FileName, "x"), file("a.go", "x"), file("z.go", ""), file(lock.FileName, "")}
	for i := range want[1:] {
		if want[i].order() > want[i+1].order() {
			t.Errorf("%+v before %+v", want[i], want[i+1])
		}
	}
	if want[0].order() == want[1].order() || want[2].order() == want[3].order() {
		t.Error("a lock is a file like others")
	}
}

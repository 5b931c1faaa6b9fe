package generator

import (
	"os"
	"path/filepath"
	"testing"
)

// TestListError expects what the go command says, without how it was called.
func TestListError(t *testing.T) {
	none := t.TempDir()
	broken := t.TempDir()
	write(t, filepath.Join(broken, "go.mod"), []byte("module example.com/m\n\njunk\n"))
	env := append(os.Environ(), "GOWORK=off")
	for _, tt := range []struct {
		name, dir, want string
		env             []string
	}{
		{"no module", none, "cannot list packages: go: go.mod file not found in current directory or any parent directory; see 'go help modules'", env},
		{"broken go.mod", broken, "cannot list packages: go: errors parsing go.mod:\ngo.mod:3: unknown directive: junk", env},
	} {
		if _, err := Generate(t.Context(), Options{Dir: tt.dir, Env: tt.env}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v\nwant %s", tt.name, err, tt.want)
		}
	}
	t.Setenv("PATH", none)
	const want = `cannot list packages: go command required, not found: exec: "go": executable file not found in $PATH`
	if _, err := Generate(t.Context(), Options{Dir: none}); err == nil || err.Error() != want {
		t.Errorf("no go command: got %v\nwant %s", err, want)
	}
}

// TestSyntaxErrorPlace expects the place in the file itself, as for any other
// finding, whatever line directives say.
func TestSyntaxErrorPlace(t *testing.T) {
	dir := module(t, nil)
	write(t, filepath.Join(dir, "a.go"), []byte("package a\n\n//line grammar.y:70\nfunc {\n"))
	result, err := Generate(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := result.Err(), "a.go:4:6: syntax error: expected 'IDENT', found '{'"; got == nil || got.Error() != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

//go:build unix

package formatted

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestSameCode compares a source with what a forger would make of it.
func TestSameCode(t *testing.T) {
	const draft = "//go:build a\n\npackage  p\n\n// F is safe.\nfunc F() int {\nif check() {\nreturn  1\n}\nreturn 2\n}\n"
	for _, text := range []string{draft, "//go:build a\n\npackage p\n\n// F is safe.\nfunc F() int {\n\tif check() {\n\t\treturn 1\n\t}\n\treturn 2\n}\n"} {
		if !sameCode([]byte(draft), []byte(text)) {
			t.Errorf("another code than the draft has %q", text)
		}
	}
	for name, pair := range map[string][2]string{
		"another token":             {"return  1", "return  3"},
		"one more":                  {"return 2\n", "evil(); return 2\n"},
		"one less":                  {"return 2\n", "\n"},
		"a condition within a note": {"// F is safe.\n", "// F is safe. "},
		"another note":              {"F is safe", "F is  safe"},
		"a line break":              {"return 2", "return\n2"},
		"two lines in one":          {"\nreturn  1\n", "return  1\n"},
		"a constraint that follows no blank line": {"\n\npackage", "\npackage"},
		"code after the end":                      {"return 2\n}\n", "return 2\n}\nfunc init() {}\n"},
		"a byte order mark":                       {"//go:build a", "\ufeff//go:build a"},
		"what is no Go":                           {"return 2", "return 2 \x00"},
		"blank lines at the end":                  {"return 2\n}\n", "return 2\n}\n\n"},
		"no line break at the end":                {"return 2\n}\n", "return 2\n}"},
	} {
		forged := bytes.Replace([]byte(draft), []byte(pair[0]), []byte(pair[1]), 1)
		if bytes.Equal(forged, []byte(draft)) {
			t.Fatalf("%s: nothing is replaced", name)
		}
		if sameCode([]byte(draft), forged) {
			t.Errorf("%s passes for the same code: %q", name, forged)
		}
	}
}

// TestHostileFolder puts what somebody else might have put there in the place of
// the folder or of the file. Nothing of it is read, and nothing written to.
func TestHostileFolder(t *testing.T) {
	draft, text := []byte("package  p"), []byte("package p")
	learned := factOf(draft, text)
	for name, set := range map[string]func(t *testing.T, dir, elsewhere string){
		"a folder that all may write to": func(t *testing.T, dir, _ string) {
			put(t, filepath.Join(dir, fileName), learned[:], 0o600)
			chmod(t, dir, 0o777)
		},
		"a folder of a group": func(t *testing.T, dir, _ string) {
			put(t, filepath.Join(dir, fileName), learned[:], 0o600)
			chmod(t, dir, 0o720)
		},
		"a link to a folder": func(t *testing.T, dir, elsewhere string) {
			put(t, filepath.Join(elsewhere, fileName), learned[:], 0o600)
			must(t, os.Remove(dir), os.Symlink(elsewhere, dir))
		},
		"a link to a file": func(t *testing.T, dir, elsewhere string) {
			put(t, filepath.Join(elsewhere, "notes"), learned[:], 0o600)
			must(t, os.Symlink(filepath.Join(elsewhere, "notes"), filepath.Join(dir, fileName)))
		},
		"a link within the folder": func(t *testing.T, dir, _ string) {
			put(t, filepath.Join(dir, "notes"), learned[:], 0o600)
			must(t, os.Symlink("notes", filepath.Join(dir, fileName)))
		},
		"a second name of a file": func(t *testing.T, dir, elsewhere string) {
			put(t, filepath.Join(elsewhere, "notes"), learned[:], 0o600)
			must(t, os.Link(filepath.Join(elsewhere, "notes"), filepath.Join(dir, fileName)))
		},
		"a file that all may write to": func(t *testing.T, dir, _ string) { put(t, filepath.Join(dir, fileName), learned[:], 0o666) },
		"a pipe":                       func(t *testing.T, dir, _ string) { must(t, syscall.Mkfifo(filepath.Join(dir, fileName), 0o600)) },
		"a folder as a file":           func(t *testing.T, dir, _ string) { must(t, os.Mkdir(filepath.Join(dir, fileName), 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, elsewhere := filepath.Join(t.TempDir(), "cache"), t.TempDir()
			must(t, os.Mkdir(dir, 0o700))
			set(t, dir, elsewhere)
			if m := Open(dir); m != nil {
				t.Errorf("it is opened, and knows %d facts", len(m.known))
			}
			// Somebody may put it there after it was opened.
			late := &Memory{dir: dir, known: make(map[fact]bool)}
			late.Learn(draft, []byte("package p "))
			if err := late.Save(); err == nil {
				t.Error("it is written to")
			}
			for _, path := range []string{filepath.Join(elsewhere, "notes"), filepath.Join(elsewhere, fileName), filepath.Join(dir, "notes")} {
				if text, err := os.ReadFile(path); err == nil && !bytes.Equal(text, learned[:]) {
					t.Errorf("%s has changed", path)
				}
			}
		})
	}
}

// TestOwner asks about a folder of another user.
func TestOwner(t *testing.T) {
	dir := t.TempDir()
	chmod(t, dir, 0o700)
	info, err := os.Stat(dir)
	must(t, err)
	if err := owned(dir, info, 1000, 1000, 2); err != nil {
		t.Error("a folder of one's own:", err)
	}
	if owned(dir, info, 1001, 1000, 2) == nil || owned(dir, info, 0, 1000, 2) == nil {
		t.Error("a folder of another user is taken")
	}
	if os.Geteuid() == 0 {
		must(t, os.Chown(dir, 12345, -1))
		if Open(dir) != nil {
			t.Error("a folder of user 12345 is opened")
		}
	}
}

func put(t *testing.T, path string, text []byte, mode os.FileMode) {
	t.Helper()
	must(t, os.WriteFile(path, text, mode))
	chmod(t, path, mode)
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	must(t, os.Chmod(path, mode))
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

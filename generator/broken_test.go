package generator

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// brokenSource uses what is generated for it, so that it does not compile where
// that is missing.
const brokenSource = `package events

type Event struct {
	ID   string ` + "`json:\"id\"`" + `
	Date string ` + "`json:\"date\" cosmos:\"pk\"`" + `
}

var _ = EventKey{}.PartitionKey() + new(Event).PartitionKey()
`

// generated writes a module of one package, and what is generated for it.
func generated(t *testing.T) (dir string, files map[string]string) {
	t.Helper()
	dir = module(t, nil)
	write(t, filepath.Join(dir, "event.go"), []byte(brokenSource))
	result, err := Generate(t.Context(), Options{Dir: dir, Seal: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Commit(); err != nil {
		t.Fatal(err)
	}
	return dir, snapshot(t, dir)
}

// conflicted is a text that a merge left in two versions.
func conflicted(text string) string {
	return "<<<<<<< HEAD\n" + text + "=======\n" + strings.ReplaceAll(text, "e", "E") + ">>>>>>> branch\n"
}

// TestBrokenOutput breaks the generated file, and expects the next run to write
// it as it was, wherever it is cut off and wherever the markers are.
func TestBrokenOutput(t *testing.T) {
	dir, want := generated(t)
	path := filepath.Join(dir, "event_cosmos.go")
	whole := want[path]
	first, rest, _ := strings.Cut(whole, "\n")
	broken := map[string]string{
		"missing":           "",
		"stale":             strings.ReplaceAll(whole, "Date", "Day"),
		"of another":        strings.Replace(whole, "package events", "package other", 1),
		"header alone":      first + "\n",
		"conflict":          conflicted(whole),
		"conflict below":    first + "\n" + conflicted(rest),
		"conflict in a row": conflicted(conflicted(whole)),
		"stale on windows":  strings.ReplaceAll(strings.ReplaceAll(whole, "Date", "Day"), "\n", "\r\n"),
		"no Go":             first + "\n\x00\xff{{{",
	}
	for _, part := range []int{2, 3, 5, 7, 10} {
		broken["cut off after one of "+string(rune('0'+part%10))] = whole[:len(whole)/part]
	}
	part := seeds.Part(t, "other damage")
	for name, text := range broken {
		if part && !slices.Contains([]string{"missing", "stale", "conflict below", "no Go"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if text == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, path, []byte(text))
			}
			result, err := Generate(t.Context(), Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := result.Commit(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, snapshot(t, dir)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestForeignOutput expects a file that does not say that it is ours to stay as
// it is, even if it may once have been.
func TestForeignOutput(t *testing.T) {
	dir, files := generated(t)
	path := filepath.Join(dir, "event_cosmos.go")
	for _, text := range []string{files[path][:len(source.Header)/2], "package events\n", strings.Replace(files[path], source.Header, "// By hand.", 1)} {
		write(t, path, []byte(text))
		refuses(t, dir, false, "event_cosmos.go:1:1: event_cosmos.go is where pkgen writes")
	}
}

// TestBrokenLock expects a lock that does not tell the keys to be refused, and
// to be written anew only where that is asked for.
func TestBrokenLock(t *testing.T) {
	dir, files := generated(t)
	path := filepath.Join(dir, "pkgen.lock")
	whole := files[path]
	part := seeds.Part(t, "other damage")
	for name, tt := range map[string]struct{ text, want string }{
		"missing":        {"", "pkgen.lock:1:1: refused: pkgen.lock, which records how stored keys are made, is missing next to event_cosmos.go"},
		"conflict":       {conflicted(whole), "pkgen.lock:1:1: refused: this file does not show how stored keys are made"},
		"conflict below": {strings.Replace(whole, "\tpath", "<<<<<<< HEAD\n\tpath", 1), "pkgen.lock:7:1: refused: this file does not show how stored keys are made"},
		"cut off":        {strings.TrimSuffix(whole, "end\n"), "refused: this file does not show how stored keys are made"},
		"half":           {whole[:len(whole)/2], "refused: this file does not show how stored keys are made"},
	} {
		if part && !slices.Contains([]string{"missing", "conflict below"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if tt.text != "" {
				write(t, path, []byte(tt.text))
			}
			refuses(t, dir, true, tt.want)
			result, err := Generate(t.Context(), Options{Dir: dir, AcceptKeyChange: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := result.Commit(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(files, snapshot(t, dir)); diff != "" {
				t.Errorf("accepted: -want +got:\n%s", diff)
			}
		})
	}
}

// TestBrokenPackages loads several packages at once, most of which have
// something wrong with them: all of it is reported, nothing is written, and what
// does not matter to the documents does not count.
func TestBrokenPackages(t *testing.T) {
	document := func(name, tag string) string {
		return "package " + name + "\n\ntype Event struct {\n\tID string `json:\"id\"`\n\tDay string `json:\"day\" cosmos:\"" + tag + "\"`\n}\n"
	}
	dir := module(t, nil)
	for name, text := range map[string]string{
		"good/event.go":       document("good", "pk"),
		"tag/event.go":        document("tag", "pk,randomsufix"),
		"syntax/event.go":     document("syntax", "pk"),
		"syntax/other.go":     "package syntax\n\nfunc f( {\n",
		"types/event.go":      document("types", "pk"),
		"types/other.go":      "package types\n\nvar x int = \"text\" + undefined.Name\n\nfunc f() Missing { return 1, 2 }\n",
		"imports/event.go":    document("imports", "pk"),
		"imports/other.go":    "package imports\n\nimport _ \"example.com/nowhere\"\n",
		"field/event.go":      strings.Replace(document("field", "pk"), "Day string", "Day Missing", 1),
		"lock/event.go":       document("lock", "pk"),
		"lock/pkgen.lock":     "<<<<<<< HEAD\nversion 3\n",
		"twonames/event.go":   document("twonames", "pk"),
		"twonames/other.go":   "package othername\n",
		"inner/dependent.go":  "package inner\n\nimport \"example.com/cases/syntax\"\n\nvar _ = syntax.EventKey{}\n",
		"inner/event.go":      document("inner", "pk"),
		"inner/event_test.go": "package inner\n\nfunc TestX(t *testing.T) { undefined() }\n",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	refuses(t, dir, false,
		"field/event.go:5:34: field Day cannot be a partition key: its type cannot be resolved",
		"lock/pkgen.lock:1:1: refused: this file does not show how stored keys are made",
		"syntax/other.go:3:9: syntax error: ",
		"tag/event.go:5:36: unknown word \"randomsufix\"",
		"twonames",
	)

	result, err := Generate(t.Context(), Options{Dir: dir, Patterns: []string{"./good", "./types", "./imports", "./inner"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"good", "types", "imports", "inner", "syntax", "tag", "field", "lock", "twonames"} {
		_, err := os.Stat(filepath.Join(dir, name, "event_cosmos.go"))
		wanted := name == "good" || name == "types" || name == "imports" || name == "inner"
		if (err == nil) != wanted {
			t.Errorf("%s: generated: %v", name, err)
		}
	}
}

// refuses expects a run over all packages of a module to report each of the
// wants, and to leave all files alone.
func refuses(t *testing.T, dir string, keyChange bool, wants ...string) {
	t.Helper()
	before := snapshot(t, dir)
	result, err := Generate(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	err = result.Commit()
	if err == nil || errors.Is(err, ErrKeyChange) != keyChange {
		t.Fatalf("got %v", err)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("files have changed: -before +after:\n%s", diff)
	}
}

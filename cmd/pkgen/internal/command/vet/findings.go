package vet

import (
	"bytes"
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// finding is a diagnostic of an analyzer.
type finding struct {
	pos     token.Position
	message string
	edits   []edit // the changes of its fix; nil without one
}

// edit replaces bytes start to end of a file.
type edit struct {
	path       string
	start, end int
	text       []byte
}

// String returns "file:line:col: message".
func (f finding) String() string {
	pos := f.pos
	pos.Filename = plain.Word(cli.Shown(pos.Filename))
	return pos.String() + ": " + plain.Text(f.message)
}

// findings returns the findings of the analyzers, sorted by place, without duplicates: several
// variants of a package may share a file.
func findings(graph *checker.Graph) ([]finding, error) {
	var out []finding
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("cannot check %s: %w", action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			f := finding{pos: action.Package.Fset.PositionFor(d.Pos, false), message: d.Message}
			if len(d.SuggestedFixes) > 0 {
				f.edits = edits(action.Package.Fset, d.SuggestedFixes[0])
			}
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.pos.Filename, b.pos.Filename), cmp.Compare(a.pos.Offset, b.pos.Offset), strings.Compare(a.message, b.message))
	})
	return slices.CompactFunc(out, func(a, b finding) bool { return a.pos == b.pos && a.message == b.message }), nil
}

// edits returns the changes of a fix.
func edits(fset *token.FileSet, fix analysis.SuggestedFix) []edit {
	var out []edit
	for _, e := range fix.TextEdits {
		start, end := fset.PositionFor(e.Pos, false), fset.PositionFor(e.End, false)
		out = append(out, edit{start.Filename, start.Offset, end.Offset, e.NewText})
	}
	return out
}

// applyFixes writes the fixes of findings, all or none, and returns the findings without a fix. Of
// two fixes that touch each other, it applies the first and returns the other finding.
func applyFixes(found []finding) ([]finding, error) {
	var left []finding
	changes := make(map[string][]edit)
	for _, f := range found {
		free := len(f.edits) > 0
		for _, e := range f.edits {
			free = free && !slices.ContainsFunc(changes[e.path], func(made edit) bool { return e.start <= made.end && made.start <= e.end })
		}
		if !free {
			left = append(left, f)
			continue
		}
		for _, e := range f.edits {
			changes[e.path] = append(changes[e.path], e)
		}
	}
	var texts []files.Change
	for _, path := range slices.Sorted(maps.Keys(changes)) {
		old, err := files.Read(path)
		if err != nil {
			return nil, fmt.Errorf("cannot apply a fix: %w", err)
		}
		texts = append(texts, files.Change{Path: path, Old: old, New: edited(old, changes[path])})
	}
	return left, files.Commit(texts)
}

// edited applies edits that do not touch each other.
func edited(text []byte, all []edit) []byte {
	slices.SortFunc(all, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, e := range all {
		out.Write(text[at:e.start])
		out.Write(e.text)
		at = e.end
	}
	out.Write(text[at:])
	return out.Bytes()
}

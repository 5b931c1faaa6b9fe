package generator

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ErrKeyChange is what the error of [Result.Err] and [Result.Commit] matches
// when nothing is wrong but that keys of stored documents would change, or that
// the lock which says how they are made is missing or cannot be read.
var ErrKeyChange = errors.New("a partition key would change")

// folderLock compares the types of a folder with its lock.
type folderLock struct {
	g    *generation
	dir  string
	path string
	text []byte               // of the lock; nil if there is none
	docs map[string]*document // those that are generated, by their names in the lock
	live map[string]bool      // all types of the folder, by their names in the lock, in files of another build too

	refused bool // something has been
}

// locks compares the types of each folder with its lock, reports what may not
// change, and adds the new locks to the result. All is the documents of the run
// whether they are asked for or not.
func (g *generation) locks(all []*document, result *Result) {
	for _, dir := range slices.Sorted(maps.Keys(g.loaded.outputs)) {
		if g.loaded.broken[dir] {
			continue // its types are not known, and nothing is written
		}
		f := &folderLock{g: g, dir: dir, path: filepath.Join(dir, lock.FileName), docs: make(map[string]*document), live: make(map[string]bool)}
		var err error
		if f.text, err = readIfThere(f.path); err != nil {
			g.report.unreadable(f.path, err)
			continue
		}
		for _, d := range all {
			if filepath.Dir(d.file.path) == dir {
				f.live[d.lockName()] = true
			}
		}
		for _, d := range g.docs {
			if filepath.Dir(d.file.path) == dir {
				f.docs[d.lockName()] = d
			}
		}
		if len(f.docs) == 0 && len(g.options.Types) > 0 {
			continue
		}
		old, known := f.read()
		file := File{Path: f.path, Old: f.text}
		if l := f.next(old, known); len(l) > 0 {
			file.New = l.Format()
		}
		if file.Old != nil || file.New != nil {
			result.Files = append(result.Files, file)
		}
	}
}

// lockName returns what the lock calls a document: its name, and for a type of
// an external test, whose package is another, that of the package before it.
func (d *document) lockName() string { return lockName(d.file.path, d.unit.name, d.name()) }

func lockName(path, pkg, typ string) string {
	if strings.HasSuffix(path, "_test.go") && strings.HasSuffix(pkg, "_test") {
		return pkg + "." + typ
	}
	return typ
}

// read returns what the lock holds, and false if it does not tell how the keys
// of what has been generated are made.
func (f *folderLock) read() (lock.Lock, bool) {
	if f.text == nil {
		if outputs := f.g.loaded.outputs[f.dir]; len(outputs) > 0 {
			f.refuse(token.Position{Filename: f.path, Line: 1, Column: 1},
				fmt.Sprintf("%s is missing beside %s, so nothing tells how the keys of stored documents are made", lock.FileName, filepath.Base(outputs[0].path)),
				restoreLock)
			return nil, false
		}
		return nil, true
	}
	old, err := lock.Parse(f.text)
	if err != nil {
		f.refuse(token.Position{Filename: f.path, Line: err.Line, Column: 1},
			"this does not tell how the keys of stored documents are made: "+err.Message, restoreLock)
		return nil, false
	}
	return old, true
}

const restoreLock = "\n\trestore the lock from version control, as it was when the code was last generated;" +
	"\n\tif that is not possible, -accept-key-change writes it anew: compare the layouts in it with those of what is stored"

// refuse reports a reason not to write, and what to do; or only the reason, as a
// note, where changes are accepted.
func (f *folderLock) refuse(pos token.Position, reason, advice string) {
	if f.g.options.AcceptKeyChange {
		f.g.report.add(pos, Note, reason)
		return
	}
	f.refused = true
	f.g.report.add(pos, Refused, reason+advice)
}

// next compares the types with what the lock holds, if that is known, and
// returns what it should hold.
func (f *folderLock) next(old lock.Lock, known bool) lock.Lock {
	var now lock.Lock
	for _, name := range slices.Sorted(maps.Keys(f.docs)) {
		if d := f.docs[name]; !d.failed {
			now = append(now, d.lockEntry())
		}
	}
	failed := len(now) < len(f.docs)
	complete := f.addExcluded()
	gone := func(typ string) bool { return complete && !f.live[typ] }
	replaced := make(map[string]bool) // types of old that are others now
	if known {
		f.upgrade(old)
		changes, renamed, added := lock.Compare(old, now, gone)
		for _, c := range changes {
			f.refuseChange(c)
		}
		for _, e := range added {
			f.addition(e)
		}
		for _, c := range append(changes, renamed...) {
			replaced[c.Old.Type] = c.Renamed()
		}
		f.untold(old, changes, renamed)
	}
	lost := func(typ string) bool { return gone(typ) && len(f.g.options.Types) == 0 }
	l := lock.Merge(old, now, lost, func(typ string) bool { return replaced[typ] })
	if a, b, found := l.Conflict(); found && !f.refused && !failed {
		f.conflict(a, b)
	}
	return l
}

// untold refuses types of which the lock does not say what components are made
// of, and no generated file tells it.
func (f *folderLock) untold(old lock.Lock, changes, renamed []lock.Change) {
	for _, e := range old {
		name := e.Type
		for _, c := range renamed {
			if c.Old.Type == e.Type {
				name = c.New.Type
			}
		}
		d := f.docs[name]
		changed := slices.ContainsFunc(changes, func(c lock.Change) bool { return c.Old.Type == e.Type })
		if e.Components != nil || d == nil || d.failed || changed {
			continue
		}
		f.refuse(d.position(), fmt.Sprintf("%s does not say what the components of type %s's key are made of, as of version 2, and no %s tells it",
			lock.FileName, d.name(), outputName(e.Type[strings.LastIndexByte(e.Type, '.')+1:], d.file.path)),
			"\n\trestore that file from version control, as it was when the code was last generated;"+
				"\n\tif that is not possible, see that the types of these fields have not changed since, and generate with -accept-key-change")
	}
}

// addExcluded marks the types in files that are not part of this build as live.
// It returns false if a file cannot be read.
func (f *folderLock) addExcluded() bool {
	docs, complete := f.g.loaded.excludedDocuments(f.dir)
	for _, d := range docs {
		f.live[d.lockName()] = true
	}
	return complete
}

// The kinds of a partition key definition, as the service names them.
const (
	hashKind      = "Hash"
	multiHashKind = "MultiHash"
)

// lockEntry returns what the lock says of a document.
func (d *document) lockEntry() lock.Entry {
	e := lock.Entry{
		Type:      d.lockName(),
		Container: d.model.Container,
		// The version is that of the definition in the generated file.
		Definition: lock.Definition{Path: d.model.Path, Kind: hashKind, Version: 2},
		Layout:     d.model.Layout,
		Escape:     d.model.Escape,
		Components: d.components(),
		Properties: d.remembered(),
	}
	e.Prefix = d.model.Prefix
	if d.model.TTL != nil {
		e.TTL = strconv.Itoa(*d.model.TTL)
	}
	if d.model.Discriminator != nil {
		e.Discriminator = d.model.Discriminator.Value
	}
	values := []string{jsonType(d.model.Parts, d.model.Kind == templates.Synthetic)}
	if d.model.Kind == templates.Hierarchical {
		e.Kind, values = multiHashKind, nil
		var paths []string
		for _, level := range d.model.Levels {
			paths = append(paths, level.Path)
			values = append(values, jsonType(level.Parts, level.Made))
		}
		e.Path = strings.Join(paths, ",")
	}
	if slices.ContainsFunc(values, func(v string) bool { return v != "string" }) {
		e.Values = strings.Join(values, ",")
	}
	return e
}

// jsonType returns the JSON type of a value of a key.
func jsonType(parts []templates.Part, made bool) string {
	if made || len(parts) != 1 || parts[0].Component == nil {
		return "string"
	}
	switch parts[0].Component.Value {
	case templates.Int, templates.Uint, templates.Float:
		return "number"
	case templates.Bool:
		return "boolean"
	default:
		return "string"
	}
}

// addition refuses a type that has been generated and is not in the lock.
func (f *folderLock) addition(e lock.Entry) {
	d := f.docs[e.Type]
	if !f.g.loaded.isOutput(d.outputPath()) {
		return
	}
	f.refuse(d.position(), fmt.Sprintf("type %s is not in %s, and %s has been generated, so nothing tells how the keys of stored documents are made",
		d.name(), lock.FileName, filepath.Base(d.outputPath())), restoreLock)
}

// conflict reports two types that define one container differently.
func (f *folderLock) conflict(a, b lock.Entry) {
	pos := token.Position{Filename: f.path, Line: 1, Column: 1}
	for _, e := range []lock.Entry{a, b} {
		if d := f.docs[e.Type]; d != nil {
			pos = d.position()
		}
	}
	f.g.report.errorf(pos, "types %s and %s share the container %q, which has one partition key path and kind, and theirs are %s (%s) and %s (%s): give one another container, or both one path",
		a.Type, b.Type, a.Container, a.Path, a.Kind, b.Path, b.Kind)
}

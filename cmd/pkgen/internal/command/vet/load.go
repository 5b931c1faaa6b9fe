package vet

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/vet"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// repositoryPath is the package that generated code imports.
const repositoryPath = "github.com/cosmos-pkgen/pkgen/repository"

// concerned are the packages that vet loads with types: those that may have findings, and those
// whose documents they use.
type concerned struct {
	config *packages.Config
	roots  map[string]bool // ids of the packages to check
	paths  map[string]bool // import paths to load from source
	files  bool            // the patterns are files, not packages
}

// loadConcerned loads, with types, the packages that match patterns and that reaches finds.
// Imported packages with generated code are loaded from source, since their tags define the
// documents; others come from the go command's export data. It lists packages first, which needs no
// compiler, and is often sufficient.
func loadConcerned(config *packages.Config, patterns []string) ([]*packages.Package, error) {
	list := *config
	list.Mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedForTest
	listed, err := sourceload.List(&list, patterns...)
	if err == nil {
		err = loadErrors(listed)
	}
	if err != nil {
		return nil, err
	}
	c := &concerned{config: config, roots: make(map[string]bool), paths: make(map[string]bool)}
	reaching := reaches(listed)
	for _, p := range listed {
		if reaching[p] && !strings.HasSuffix(p.ID, ".test") { // the go command generates these
			c.roots[p.ID] = true
			c.add(p)
		}
	}
	return c.load(patterns)
}

// add records what must be loaded for a package.
func (c *concerned) add(root *packages.Package) {
	c.files = c.files || root.PkgPath == "command-line-arguments"
	c.paths[testedPath(root)] = true
	packages.Visit([]*packages.Package{root}, nil, func(p *packages.Package) {
		if slices.ContainsFunc(p.GoFiles, func(path string) bool { return strings.HasSuffix(path, "_cosmos.go") }) {
			c.paths[testedPath(p)] = true
		}
	})
}

// load loads the recorded packages, and returns the packages to check.
func (c *concerned) load(patterns []string) ([]*packages.Package, error) {
	if len(c.roots) == 0 {
		return nil, nil
	}
	typed := *c.config
	typed.Mode = packages.LoadSyntax | packages.NeedModule
	if c.files { // the go command takes files or packages, not both
		typed.Mode |= packages.NeedDeps
	} else {
		patterns = slices.Sorted(maps.Keys(c.paths))
	}
	loaded, err := sourceload.List(&typed, patterns...)
	if err != nil {
		return nil, err
	}
	pkgs := slices.DeleteFunc(loaded, func(p *packages.Package) bool { return !c.roots[p.ID] })
	return pkgs, loadErrors(pkgs)
}

// testedPath returns the import path of a package, or of the package that it tests.
func testedPath(p *packages.Package) string {
	if p.ForTest != "" {
		return p.ForTest
	}
	return p.PkgPath
}

// reaches returns the packages that have tags, or import package repository directly or indirectly.
// Packages outside of the patterns without generated code count as without tags.
func reaches(listed []*packages.Package) map[*packages.Package]bool {
	out := make(map[*packages.Package]bool)
	for _, p := range listed {
		out[p] = mentionsTags(p.GoFiles)
	}
	packages.Visit(listed, nil, func(p *packages.Package) {
		for path, imported := range p.Imports {
			if path == repositoryPath || out[imported] {
				out[p] = true
			}
		}
	})
	return out
}

// mentionsTags reports whether files may have cosmos tags. Unreadable files may.
func mentionsTags(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		text, err := files.Read(path)
		return err != nil || bytes.Contains(bytes.ToLower(text), []byte("cosmos"))
	})
}

// loadErrors returns an error if packages cannot be analyzed, because they do not compile. Errors
// that only concern stale generated code are allowed.
func loadErrors(pkgs []*packages.Package) error {
	var errs []error
	for _, p := range pkgs {
		for _, e := range p.Errors {
			if ofGuards(e) {
				continue
			}
			if path, place, ok := strings.Cut(e.Pos, ".go:"); ok {
				e.Pos = cli.Shown(path+".go") + ":" + place
			}
			errs = append(errs, e)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("vet needs packages that compile; if generated code is missing or out of date, run pkgen first:\n%w", errors.Join(errs...))
}

// ofGuards reports whether an error only concerns stale generated code: an error of the type
// checker, or compiler output that the go command passes on.
func ofGuards(e packages.Error) bool {
	if !strings.Contains(e.Msg, vet.Guarded) {
		return false
	}
	for line := range strings.Lines(e.Msg) {
		if !strings.HasPrefix(line, "# ") && !strings.Contains(line, vet.Guarded) {
			return false
		}
	}
	return true
}

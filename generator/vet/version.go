package vet

import (
	"fmt"
	"regexp"
	"runtime/debug"
)

// modulePath is the import path of this module.
const modulePath = "github.com/cosmos-pkgen/pkgen"

// remedy says what to do about a stale file. If the checking program has another
// version of the module than the checked code, it would write other files, so the
// text names both versions; "" is an unknown version.
func remedy(mine, theirs string) string {
	if mine == "" || theirs == "" || mine == theirs {
		return "run pkgen"
	}
	return fmt.Sprintf("it may be of another version of pkgen, since the module uses %s and this check is of %s: make these the same, and run pkgen", theirs, mine)
}

// ownVersion returns the version of this module in the running program, or "".
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range append(info.Deps, &info.Main) {
		if module.Path == modulePath && module.Replace == nil && module.Version != "(devel)" {
			return module.Version
		}
	}
	return ""
}

// versioned finds the version in the path of a file of this module, as the
// module cache and the compiler write it.
var versioned = regexp.MustCompile(`cosmos-pkgen[/\\]pkgen@(v[^/\\]+)[/\\]`)

// versionIn returns the version in a path, or "".
func versionIn(path string) string {
	if m := versioned.FindStringSubmatch(path); m != nil {
		return m[1]
	}
	return ""
}

// usedVersion returns the version of this module that the package imports, or
// "" where the place of its source does not tell, as in a vendor folder.
func (c *checker) usedVersion() string {
	for _, imported := range c.pass.Pkg.Imports() {
		if imported.Path() != repositoryPath {
			continue
		}
		for _, name := range imported.Scope().Names() {
			if version := versionIn(c.pass.Fset.Position(imported.Scope().Lookup(name).Pos()).Filename); version != "" {
				return version
			}
		}
	}
	return ""
}

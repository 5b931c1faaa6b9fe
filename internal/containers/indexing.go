package containers

import (
	"slices"
	"strings"
)

// Names splits a path of a container's definition, such as /a/"b c"/?, into names.
func Names(path string) []string {
	var names []string
	for {
		var found bool
		if path, found = strings.CutPrefix(path, "/"); !found || path == "" {
			return names
		}
		if quoted, ok := strings.CutPrefix(path, `"`); ok {
			name, rest, _ := strings.Cut(quoted, `"`)
			names, path = append(names, name), rest
			continue
		}
		end := strings.IndexByte(path, '/')
		if end < 0 {
			end = len(path)
		}
		names, path = append(names, path[:end]), path[end:]
	}
}

// samePath reports whether two paths name the same property, quoted or not.
func samePath(a, b string) bool { return slices.Equal(Names(a), Names(b)) }

// samePaths is samePath for lists in the same order.
func samePaths(a, b []string) bool { return slices.EqualFunc(a, b, samePath) }

// none is the mode of a policy without any index.
const none = "none"

// indexless reports whether a policy has no index at all.
func indexless(p *IndexingPolicy) bool {
	return p != nil && strings.EqualFold(p.IndexingMode, none)
}

// Indexes reports whether a policy indexes the property at path. The most precise matching path
// decides: the longer one, and at the same length /? before /* ("Indexing policies in Azure Cosmos
// DB", include and exclude precedence). A policy without paths, and a container without a policy,
// index everything.
func Indexes(p *IndexingPolicy, path string) bool {
	if p == nil {
		return true
	}
	if indexless(p) || !p.Automatic {
		return false
	}
	included, excluded := -1, -1
	for _, pattern := range p.IncludedPaths {
		included = max(included, precision(pattern.Path, path))
	}
	for _, pattern := range p.ExcludedPaths {
		excluded = max(excluded, precision(pattern.Path, path))
	}
	return included > excluded || len(p.IncludedPaths)+len(p.ExcludedPaths) == 0
}

// precision returns how precisely a pattern of an indexing policy matches the property at path; -1
// if it does not.
func precision(pattern, path string) int {
	names, prefix := Names(path), Names(pattern)
	if len(prefix) == 0 { // "/", an old form of "/*"
		return 0
	}
	last := len(prefix) - 1
	wildcard := prefix[last] == "*"
	prefix = prefix[:last]
	switch {
	case len(prefix) > len(names) || !slices.Equal(prefix, names[:len(prefix)]):
		return -1
	case wildcard:
		return 2 * len(prefix)
	case len(prefix) == len(names):
		return 2*len(prefix) + 1
	default:
		return -1
	}
}

// indexPattern returns the pattern that includes only the property at path. It quotes names with
// characters other than letters, digits and _.
func indexPattern(path string) string {
	var b strings.Builder
	for _, name := range Names(path) {
		plain := strings.IndexFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) < 0
		if !plain {
			name = `"` + name + `"`
		}
		b.WriteString("/" + name)
	}
	return b.String() + "/?"
}

// include adds the property at path to the index.
func include(p *IndexingPolicy, path string) {
	pattern := indexPattern(path)
	p.ExcludedPaths = slices.DeleteFunc(slices.Clone(p.ExcludedPaths), func(e Path) bool {
		return samePath(e.Path, pattern)
	})
	p.IncludedPaths = append(slices.Clip(p.IncludedPaths), Path{Path: pattern})
}

// hasComposite reports whether a policy has a composite index that serves the order of another: the
// same paths in the same sequence, with all directions equal or all reversed.
func hasComposite(p *IndexingPolicy, index []CompositeIndex) bool {
	if p == nil {
		return false
	}
	return slices.ContainsFunc(p.CompositeIndexes, func(other []CompositeIndex) bool {
		return slices.EqualFunc(other, index, func(a, b CompositeIndex) bool {
			return samePath(a.Path, b.Path) && (descending(a) == descending(b)) == (descending(other[0]) == descending(index[0]))
		})
	})
}

func descending(c CompositeIndex) bool {
	return strings.EqualFold(c.Order, Descending)
}

// compositeText returns a composite index for errors.
func compositeText(index []CompositeIndex) string {
	parts := make([]string, len(index))
	for i, c := range index {
		parts[i] = c.Path + " ascending"
		if descending(c) {
			parts[i] = c.Path + " descending"
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

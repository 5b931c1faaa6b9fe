package model

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/property"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// searches are the policies of a container for vectors and full text.
type searches struct {
	vectors []templates.Vector
	texts   []templates.FullText
}

// searches returns the policies for d's own properties.
func (d *subject) searches() searches {
	var s searches
	s.collect(d.Document, d.Named, nil, nil)
	return s
}

// collect adds the policies of the properties of a struct, and of nested structs that queries can
// refer to. Within are the outer structs.
func (s *searches) collect(d *facts.Document, t types.Type, at []string, within []types.Type) {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	within = append(slices.Clone(within), facts.Origin(t))
	for _, p := range facts.JSONFields(strct) {
		names := append(slices.Clone(at), p.Name)
		if v := d.Vector(&p); v != nil {
			v.Path = indexPath(names)
			if by, sharded := d.ShardKey(t, &p); by != nil {
				v.ShardKey = indexPath(append(slices.Clone(at), by...))
			} else if sharded {
				v.ShardKey = byPartitionKey
			}
			s.vectors = append(s.vectors, *v)
		}
		if language := d.Said(&p).Language; language != "" {
			s.texts = append(s.texts, templates.FullText{Path: indexPath(names), Language: language})
		}
		if inner, _ := facts.Pointee(p.Field().Type()); property.Opens(d, inner, names, within) {
			s.collect(d, inner, names, within)
		}
	}
}

// byPartitionKey is the shard key of an index divided by the partition key, whose paths all types
// of a container share.
const byPartitionKey = "/"

// search merges the policies of all types of the container, and reports two that differ at one
// path. Paths are the partition key paths.
func (d *member) search(paths []string) ([]templates.Vector, []templates.FullText) {
	var all searches
	for _, t := range d.Roles {
		if t.Sharded && t.ShardKey == "" && paths[0] == "/"+facts.IDProperty {
			d.Errorf(t.Word("shardkey"), "the partition key is the id, so that each document would have an index of its own: name a field that many documents share, as in \"shardkey=TenantID\", or remove it")
		}
	}
	refuse := func(p *peer, path string) { // at the later of the two
		if d.Name() < p.Name() {
			return
		}
		at := d.Position()
		for _, t := range d.Roles {
			if t.Ref.Property != nil && indexPath(t.Ref.Property) == path {
				at = t.At(max(t.Offset("vector"), t.Offset("text")))
			}
		}
		d.Errorf(at, "types %s and %s share the container %q, and have different policies for %s: write the same policy in both, or give one a different JSON name", d.Name(), p.Name(), d.Container(), path)
	}
	for _, p := range d.peers {
		for _, v := range p.searches.vectors {
			if v.ShardKey == byPartitionKey {
				v.ShardKey = paths[0]
			}
			i := slices.IndexFunc(all.vectors, func(other templates.Vector) bool { return other.Path == v.Path })
			if i < 0 {
				all.vectors = append(all.vectors, v)
			} else if all.vectors[i] != v {
				refuse(d.otherThan(p), v.Path)
			}
		}
		for _, x := range p.searches.texts {
			i := slices.IndexFunc(all.texts, func(other templates.FullText) bool { return other.Path == x.Path })
			if i < 0 {
				all.texts = append(all.texts, x)
			} else if all.texts[i] != x {
				refuse(d.otherThan(p), x.Path)
			}
		}
	}
	for _, x := range all.texts {
		if slices.ContainsFunc(all.vectors, func(v templates.Vector) bool { return v.Path == x.Path }) {
			refuse(d.otherThan(nil), x.Path)
		}
	}
	slices.SortFunc(all.vectors, func(a, b templates.Vector) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(all.texts, func(a, b templates.FullText) int { return cmp.Compare(a.Path, b.Path) })
	return all.vectors, all.texts
}

// otherThan returns p if it is not d itself, and another type of the container otherwise.
func (d *member) otherThan(p *peer) *peer {
	for _, other := range append([]*peer{p}, d.peers...) {
		if other != nil && other.Stated != d.Stated {
			return other
		}
	}
	return p
}

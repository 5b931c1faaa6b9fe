package annotations

import (
	"slices"
	"strconv"
)

// A number of buckets can grow, in two releases: programs of one release read the
// buckets that programs of the next one write. See docs/keys.md.

// counts reads numbers of buckets that are joined by plus signs, the oldest last.
// Numbers of buckets only grow, so each is below the one before it.
func (p *parser) counts(v span) []int {
	var out []int
	for s := range v.pieces("+") {
		s = p.trim(s, "write numbers and \"+\" without spaces")
		n, err := buckets(s)
		switch {
		case err != nil:
			p.errs = append(p.errs, err)
			return nil
		case slices.Contains(out, n):
			p.fail(s, "%d occurs here twice: write each number of buckets once", n)
			return nil
		case len(out) > 0 && n > out[len(out)-1]:
			p.fail(s, "%d comes after %d: numbers of buckets only grow, and the oldest is last; write the greatest first", n, out[len(out)-1])
			return nil
		}
		out = append(out, n)
	}
	return out
}

// growth checks the numbers of buckets of other releases against that of this one.
func (p *parser) growth() {
	was, hasWas := p.value("was")
	next, hasNext := p.value("next")
	if !hasWas && !hasNext {
		return
	}
	now, earlier, later := p.field.Buckets, p.field.Was, p.field.Next
	if p.place == OnType {
		earlier, later = p.typ.Was, p.typ.Next
		bucket := p.typ.Key.bucket()
		switch {
		case bucket == nil && p.typ.KeyPaths == nil: // the template has an error of its own
		case bucket == nil && hasWas:
			p.fail(was, "the template has no bucket, so there is no number of buckets: remove \"was\"")
		case bucket == nil:
			p.fail(next, "the template has no bucket, so there is no number of buckets: remove \"next\"")
		case bucket.Fields == nil && hasWas:
			p.fail(was, "the bucket is random, and %s", whyRandom)
		default:
			now = bucket.Buckets
		}
	}
	if now == 0 {
		return // it has been reported
	}
	if len(earlier) > 0 && earlier[0] >= now {
		p.fail(was, "%d is not below the %s of this release: numbers of buckets only grow; name only numbers of releases before", earlier[0], countOf(now))
	}
	if hasNext && later > 0 && later <= now {
		p.fail(next, "%d is not above the %s of this release: numbers of buckets only grow; name a greater number, or remove \"next\"", later, countOf(now))
	}
}

// countOf writes a number of buckets.
func countOf(n int) string { return strconv.Itoa(n) + " buckets" }

// bucket returns the bucket of a template of one level, or nil.
func (t Template) bucket() *Component {
	for _, level := range t.Levels {
		for _, part := range level {
			if part.Component != nil && part.Component.Buckets > 0 {
				return part.Component
			}
		}
	}
	return nil
}

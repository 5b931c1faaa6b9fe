package simulation

import "slices"

// pool collects configs. Of two that differ only in what reads under way may return, it keeps
// the one whose reads may return more, since that allows all that the other allows.
type pool struct {
	slot    *slot
	configs []config
	gone    []bool           // those that another config covers
	alike   map[config][]int // the configs that differ in nothing else, by their common part
}

func (s *slot) pool() *pool { return &pool{slot: s, alike: map[config][]int{}} }

// mostAlike is how many configs may differ only in what reads may return. If there are more,
// one takes their place that covers them: the model then allows a little more than is right.
const mostAlike = 8

// add adds a config unless another covers it.
func (p *pool) add(c config) {
	common := c
	for lane, o := range p.slot.pending {
		if o != nil && o.kind == "read" {
			common.done[lane] = 0
		}
	}
	of := p.alike[common]
	for _, i := range of {
		if p.covers(p.configs[i], c) {
			return
		}
	}
	if len(of) >= mostAlike {
		for _, i := range of {
			c = p.both(c, p.configs[i])
		}
	}
	of = slices.DeleteFunc(of, func(i int) bool {
		covered := p.covers(c, p.configs[i])
		p.gone[i] = p.gone[i] || covered
		return covered
	})
	p.alike[common] = append(of, len(p.configs))
	p.configs, p.gone = append(p.configs, c), append(p.gone, false)
}

// covers reports whether the reads of a may return all that those of b may.
func (p *pool) covers(a, b config) bool {
	for lane := range a.done {
		if a.done[lane] == b.done[lane] {
			continue
		}
		more := p.slot.sets[a.done[lane]]
		for _, c := range p.slot.sets[b.done[lane]] {
			if _, has := slices.BinarySearch(more, c); !has {
				return false
			}
		}
	}
	return true
}

// both returns a config that covers two.
func (p *pool) both(a, b config) config {
	for lane := range a.done {
		if a.done[lane] == b.done[lane] {
			continue
		}
		set := slices.Concat(p.slot.sets[a.done[lane]], p.slot.sets[b.done[lane]])
		slices.Sort(set)
		a.done[lane] = p.slot.number(slices.Compact(set))
	}
	return a
}

// left returns the configs that no other covers.
func (p *pool) left() []config {
	var left []config
	for i, c := range p.configs {
		if !p.gone[i] {
			left = append(left, c)
		}
	}
	return left
}

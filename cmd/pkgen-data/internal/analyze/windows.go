package analyze

import "strings"

// Windows declares that the following documents come from windows of effective partition keys of
// the current layout. Windows are a part of the key space, so a physical partition without any
// would seem empty. Therefore keys get pseudo-random positions, as a hash would give them, in
// layouts whose keys begin with the same level as the current one. Call it before the first
// document.
func (c *Collector) Windows() {
	first := func(template string) string {
		level, _, _ := strings.Cut(template, "},")
		return strings.TrimSuffix(level, "}")
	}
	current := ""
	for _, l := range c.layouts {
		if l.Current {
			current = first(l.String())
		}
	}
	for _, l := range c.layouts {
		l.redrawn = first(l.String()) == current
	}
}

// Stored sets the documents of the container's own physical partitions, in the order of their
// bounds, from the service's counts: they are the spread of the current layout. It does nothing if
// their number differs from the report's.
func (r *Report) Stored(documents []int64) {
	for _, l := range r.Layouts {
		for _, s := range l.Partitions {
			if l.Current && s.Own && s.Physical == len(documents) {
				s.Documents = documents
				s.Effective, s.BusiestShare = effective(documents)
				s.SustainableWrites = sustainable(s.Effective, l.WriteRU)
			}
		}
	}
}

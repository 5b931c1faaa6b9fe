package analyze

import "strings"

// Windows says that the documents to come are those of windows of effective partition keys
// by the current layout. These are a part of the key space, so that the spread of the
// sample would be that of the windows: a physical partition that has none of them would
// seem to be empty. So the places of the keys are drawn anew, as if by chance, which the
// hash of a key is too. That concerns layouts whose keys begin with the same level as
// those of the current one. It is called before the first document.
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

// Stored takes the documents of the container's own physical partitions, in the order of
// their bounds, as the service counts them: they are the spread of the current layout over
// them. It does nothing if they are not as many as the report has.
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

package annotations

// releases reads the number that the next release has: of the form, or of suffixes. A form
// comes right after that of this release: those between them would be of no release.
func (p *parser) releases() {
	next, found := p.value("next")
	if !found || p.place != OnField {
		return
	}
	if _, form := p.word("schema"); !form {
		p.field.Next = check(p, next, buckets)
		return
	}
	p.field.Upcoming = check(p, next, schema)
	if now, then := p.field.Schema, p.field.Upcoming; now > 0 && then > 0 && then != now+1 {
		p.fail(next, "the form after %d is %d, and not %d: write \"next=%[2]d\", or remove \"next\"", now, now+1, then)
	}
}

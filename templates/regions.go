package templates

import "github.com/dave/jennifer/jen"

// OneWriteRegion returns the words of the type's tags that rely on one write region, in an
// account with several. Package writeregions says why.
func (t *Type) OneWriteRegion() []string {
	earlier, next := t.Growth()
	carried := t.Stamps != nil && t.Conflict == "" // updated alone is the time of the last writer
	var words []string
	for _, w := range []struct {
		word string
		has  bool
	}{
		{"unique", t.Unique != nil},
		{"own", t.Own != nil},
		{"was", earlier > 0},
		{"next", next > 0},
		{"formerly", t.Former != nil},
		{"created", carried && t.Stamps.Created != nil},
		{"version", carried && t.Stamps.Version != nil},
	} {
		if w.has {
			words = append(words, w.word)
		}
	}
	return words
}

// ensureOptions are the options with which a container of the type is ensured: the caller's, and
// before them one for a type that relies on one write region, and one for computed properties.
//
//	opts...
//	append([]admin.EnsureOption{admin.OneWriteRegion("unique")}, opts...)...
//	append([]admin.EnsureOption{admin.Computed(userModel.Computed)}, opts...)...
func (f *file) ensureOptions() *jen.Statement {
	var own []jen.Code
	if words := f.OneWriteRegion(); words != nil {
		own = append(own, admin("OneWriteRegion").Call(collect(words, func(w string) jen.Code { return jen.Lit(w) })...))
	}
	if f.Computed != nil {
		own = append(own, admin("Computed").Call(jen.Id(f.modelName).Dot("Computed")))
	}
	if own == nil {
		return spread(jen.Id("opts"))
	}
	return spread(jen.Append(jen.Index().Add(admin("EnsureOption")).Values(own...), spread(jen.Id("opts"))))
}

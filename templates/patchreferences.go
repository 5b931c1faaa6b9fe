package templates

// patchReferences returns the references by which patches change properties.
func (t *Type) patchReferences() []reference {
	return t.nameTypes(patchesOf(t.Properties), t.patchName(), "Patch")
}

func patchesOf(properties []Property) []reference {
	var all []reference
	for _, p := range properties {
		r := reference{name: p.Name, kind: p.Patch, value: p.Pointer, within: patchesOf(p.Properties)}
		r.doc = operationsOf(p.Patch) + " " + shown(p.Pointer)
		switch whole := p.Patch.Name != ""; {
		case whole:
			r.typeDoc = "changes " + shown(p.Pointer) + " and what is in it."
			rename(r.within, p.Patch.Name)
			if len(r.within) > 0 {
				r.doc += ", or what is in it"
			}
		case len(r.within) > 0:
			r.doc = "Changes what is in " + shown(p.Pointer)
			r.typeDoc = "changes what is in " + shown(p.Pointer) + "."
		default:
			continue
		}
		r.doc += "."
		all = append(all, r)
	}
	return all
}

// operationsOf says what patches can do with a property.
func operationsOf(k FieldKind) string {
	switch k.Name {
	case "PatchNumber":
		return "Sets, removes or increments"
	case "PatchList":
		return "Sets, removes or appends to"
	case "PatchMap":
		return "Sets or removes all or one value of"
	}
	return "Sets or removes"
}

// rename gives another name to a reference that has the name of the field that its
// struct embeds.
func rename(all []reference, embedded string) {
	taken := names{}
	taken.add(embedded)
	for i := range all {
		all[i].name = taken.take(all[i].name)
	}
}

package templates

// patches writes the variable by which patches change the properties of a
// document, and the types of its parts, unless no property can be changed so.
//
//	var VehicleEventPatch = struct {
//		// Speed changes the property speed.
//		Speed repository.PatchNumber[VehicleEvent, int]
//		// Position changes the property position.
//		Position vehicleEventPositionPatch
//	}{
//		"/speed",
//		vehicleEventPositionPatch{
//			"/position",
//			"/position/lat",
//		},
//	}
func (f *file) patches() {
	if all := f.patchReferences(); len(all) > 0 {
		f.references(f.patchName(), "makes the changes of patches of "+f.Name+" documents: "+
			"one for each property that is neither of the key nor of the system. See repository.Documents.Patch.", all)
	}
}

// patchReferences returns what patches change properties by.
func (t *Type) patchReferences() []reference {
	return t.nameTypes(patchesOf(t.Properties), t.patchName(), "Patch")
}

func patchesOf(properties []Property) []reference {
	var all []reference
	for _, p := range properties {
		property := "the property " + propertyName(p.Pointer)
		r := reference{name: p.Name, kind: p.Patch, value: p.Pointer, within: patchesOf(p.Properties)}
		switch whole := p.Patch.Name != ""; {
		case whole:
			r.doc = "changes " + property + "."
			r.typeDoc = "changes " + property + " and what is in it."
			rename(r.within, p.Patch.Name)
		case len(r.within) > 0:
			r.doc = "changes what is in " + property + "."
			r.typeDoc = r.doc
		default:
			continue
		}
		all = append(all, r)
	}
	return all
}

// rename gives another name to the reference that is called as the field that
// its struct embeds.
func rename(all []reference, embedded string) {
	taken := names{}
	taken.add(embedded)
	for i := range all {
		all[i].name = taken.take(all[i].name)
	}
}

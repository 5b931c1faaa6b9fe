package templates

// patches writes the variable by which patches change the properties of a
// document, and the types of its fields. It writes nothing if patches can change no
// property.
//
//	var VehicleEventPatch = struct {
//		// Sets, removes or increments /speed.
//		Speed repository.PatchNumber[VehicleEvent, int]
//		// Sets or removes /position, or what is in it.
//		Position vehicleEventPositionPatch
//	}{
//		Speed: "/speed",
//
//		Position: vehicleEventPositionPatch{
//			PatchValue: "/position",
//
//			Lat: "/position/lat",
//		},
//	}
func (f *file) patches() {
	if all := f.patchReferences(); len(all) > 0 {
		f.references(f.patchName(), "makes the operations of patches of "+f.Name+" documents, "+
			"one for each property that is neither of the key nor of the system. See repository.Documents.Patch.", all)
	}
}

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

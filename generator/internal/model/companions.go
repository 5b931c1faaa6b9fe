package model

// companions returns the ids of the run time's containers in the tag. It reports one that also has
// documents, whose partition key differs.
func (d *member) companions() (leases, directory string) {
	leases, directory = d.Options.Leases, d.Options.Directory
	if leases != "" && d.Tiered() {
		d.Errorf(d.Options.At(d.Options.Offset("leases")), "tenants with \"own\" move between containers, so that no processor reads their changes: remove \"leases\", or name it on another type")
	}
	for _, word := range []struct{ name, id, holds string }{
		{"leases", leases, "leases"},
		{"directory", directory, "the directory of tenants"},
	} {
		if word.id == "" {
			continue
		}
		pos := d.Options.At(d.Options.ValueOffset(word.name))
		if here := d.all[containerID{d.API(), word.id}]; len(here) > 0 {
			d.Errorf(pos, "the container %q holds %s documents, and a container for %s has the key /id: write another name", word.id, here[0].Name(), word.holds)
		}
	}
	return leases, directory
}

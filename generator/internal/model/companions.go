package model

// companions returns the ids of the containers of the run time that the tag names. It
// reports one that holds documents, or both kinds: their keys and times to live differ.
func (d *member) companions() (leases, directory string) {
	leases, directory = d.Options.Leases, d.Options.Directory
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
		if word.name == "directory" && word.id == leases {
			d.Errorf(pos, "the container %q would hold leases and the directory of tenants: write another name", word.id)
		}
	}
	return leases, directory
}

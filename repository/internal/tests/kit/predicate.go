package kit

// SpecimenKey identifies a specimen; all specimens share a logical partition.
type SpecimenKey struct{ ID, Key string }

func (SpecimenKey) Validate() error { return nil }

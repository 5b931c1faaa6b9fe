package failure

// WriteRegionsError refuses a request in an account with several write regions. It matches
// [ErrSeveralWriteRegions].
type WriteRegionsError struct {
	Regions []string // the write regions
	Refusal string   // names the regions, what relies on one, why, and what to do
}

// Error says what to do.
func (e *WriteRegionsError) Error() string { return e.Refusal }

// Is reports whether target is ErrSeveralWriteRegions.
func (*WriteRegionsError) Is(target error) bool { return target == ErrSeveralWriteRegions }

// NonRetriable tells the pipeline of azcore that another attempt would fail alike.
func (*WriteRegionsError) NonRetriable() {}

package failure

// WriteRegionsError refuses a request in an account with several write regions. It matches
// [ErrSeveralWriteRegions].
type WriteRegionsError struct {
	Regions []string // the write regions
	Refusal string   // the message: the regions, the operation and its reason, and advice
}

// Error returns Refusal.
func (e *WriteRegionsError) Error() string { return e.Refusal }

// Is reports whether target is ErrSeveralWriteRegions.
func (*WriteRegionsError) Is(target error) bool { return target == ErrSeveralWriteRegions }

// NonRetriable prevents retries by the pipeline of azcore.
func (*WriteRegionsError) NonRetriable() {}

package failure

// Draft refuses a request of a draft that would leave this machine. It matches [ErrDraft].
type Draft struct {
	Host    string // where the request would go
	Command string // what seals the layout
}

// Error says what to do.
func (e *Draft) Error() string {
	return ErrDraft.Error() + ", which may still change, and " + e.leaves()
}

// Reason is the text of Error without that of ErrDraft, for an [Error] that begins with it.
func (e *Draft) Reason() string { return "it may still change, and " + e.leaves() }

func (e *Draft) leaves() string {
	return e.Host + " is not this machine, where documents can be thrown away: if it is what you want, for ever, run " + e.Command
}

// Is reports whether target is ErrDraft.
func (*Draft) Is(target error) bool { return target == ErrDraft }

// NonRetriable tells the pipeline of azcore that another attempt would fail alike.
func (*Draft) NonRetriable() {}

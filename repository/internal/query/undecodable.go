package query

// undecodable is why a document of a page is not what was asked for.
type undecodable struct {
	id  string
	err error
}

func (u *undecodable) Error() string { return u.err.Error() }

func (u *undecodable) Unwrap() error { return u.err }

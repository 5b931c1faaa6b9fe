package stale

// These names are taken, so imports and parameters of generated code have
// others.
var (
	context, repository struct{}
	e, r, key, ctx      struct{}
)

package repository

// Strategy is a way to read many logical partitions.
type Strategy int

const (
	// Automatic chooses Scoped where it can be had, and otherwise Gateway for
	// filters and PerKey for the rest.
	Automatic Strategy = iota

	// Scoped sends one query to each physical partition that holds some of the
	// logical partitions, in parallel. It needs a client made with Configure.
	Scoped

	// Gateway sends one query, and the service's gateway walks the physical
	// partitions one after the other. It filters, and does nothing else: no order,
	// no limit, no aggregate.
	Gateway

	// PerKey sends one query to each logical partition, several at once.
	PerKey
)

// String returns the name of s in lower case.
func (s Strategy) String() string {
	switch s {
	case Scoped:
		return "scoped"
	case Gateway:
		return "gateway"
	case PerKey:
		return "per key"
	default:
		return "automatic"
	}
}

// WithStrategy makes queries over many logical partitions use s, for tests and
// comparisons; [Automatic] is right otherwise. Where s cannot be had, queries
// return an error that says why.
func WithStrategy(s Strategy) Option {
	return func(o *settings) { o.strategy = s }
}

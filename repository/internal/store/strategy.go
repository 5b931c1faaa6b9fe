package store

// Strategy is a way to read many logical partitions.
type Strategy int

// The strategies, which the face explains.
const (
	Automatic Strategy = iota
	Scoped
	Gateway
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

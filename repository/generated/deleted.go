package generated

// Deleted describes how documents are marked as deleted: by a property with the time of the
// deletion. A document without it, or with null, is not marked.
type Deleted[T any] struct {
	Property string // its JSON name

	// Seconds is the time to live that a mark sets, after which the service removes the
	// document; 0 sets none.
	Seconds int32

	// OwnTTL reports that T has its own time to live, which a restored document keeps.
	OwnTTL bool

	// Clear clears the field of a document that was stored.
	Clear func(doc *T)
}

package generated

// Index describes a global secondary index: a container that the service derives from
// the container of documents of type T. Its entries are of type E.
type Index[E, T any, K Key] struct {
	// Type is the name of E, for errors, such as "OrderByCustomerEntry".
	Type string

	// Source describes the documents from which the service makes the entries.
	Source *Model[T, K]

	// Path is the partition key path of the index. It is empty for a hierarchical key,
	// which has Paths.
	Path string

	// Paths are the partition key paths of the index if its key is hierarchical, first
	// level first; otherwise nil.
	Paths []string

	// Entry returns the entry of a document as it was when the service made the entry.
	Entry func(*T) *E

	// Key returns what identifies the document of an entry in the source.
	Key func(*E) K

	// Marks says that documents of the source move to other keys or containers, which
	// leaves marks in it.
	Marks bool
}

// Indexed is a property of documents of type T of which the partition key of an index is
// made. The run time writes it with each document.
type Indexed[T any, K Key] struct {
	// Index is the name of the index, for errors, such as "ByCustomer".
	Index string

	// Property is the JSON name of the property.
	Property string

	// Components are the JSON pointers of the properties that Set reads, such as
	// "/customerId".
	Components []string

	// Set sets the field of the property. It returns a *partition.KeyError if Cosmos DB
	// would refuse the text or a component is invalid, and then changes nothing.
	Set func(*T) error

	// Text returns what the field of the property holds.
	Text func(*T) string

	// Known returns a document in which the fields are set that a key tells, for a patch
	// of a component. It is nil if a key tells no component.
	Known func(K) *T
}

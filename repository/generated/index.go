package generated

// Index describes a global secondary index: a container that the service derives from the
// container of documents of type T. Its entries have type E.
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

	// Entry returns the entry of a document at the time when the service made the entry.
	Entry func(*T) *E

	// Key returns the key of an entry's document in the source.
	Key func(*E) K

	// Marks reports that documents of the source move to other keys or containers, which leaves
	// marks in it.
	Marks bool
}

// Indexed is a property of documents of type T that is the partition key of an index, made of
// other properties. The run time writes it with each document.
type Indexed[T any, K Key] struct {
	// Index is the name of the index, for errors, such as "ByCustomer".
	Index string

	// Property is the JSON name of the property.
	Property string

	// Components are the JSON pointers of the properties that Set reads, such as
	// "/customerId".
	Components []string

	// Set sets the field of the property. If Cosmos DB would refuse the text or a component is
	// invalid, it returns a *partition.KeyError, and changes nothing.
	Set func(*T) error

	// Text returns the value of the property's field.
	Text func(*T) string

	// Known returns a document with the fields that a key determines, for a patch of a
	// component. It is nil if a key determines no component.
	Known func(K) *T
}

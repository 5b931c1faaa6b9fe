package repository

// columns returns what a statement selects of a document: own, and what it takes
// to sort documents, to tell them apart, and to know where they belong. In a row
// these properties stand where they stand in the document.
func (q selection) columns(own ...string) []string {
	listed := map[string]bool{}
	for _, column := range own {
		listed[column] = true
	}
	columns := own[:len(own):len(own)]
	add := func(name string) {
		if column := topLevel(name); !listed[column] {
			listed[column] = true
			columns = append(columns, column)
		}
	}
	for _, o := range q.orders {
		add(o.path[0])
	}
	add(ridPath[0])
	for _, path := range q.source.paths {
		add(names(path)[0])
	}
	return columns
}

// topLevel returns how SQL names the property of this name. Selected without AS
// it has that name in a row, too.
func topLevel(name string) string {
	return property("/" + escapeName.Replace(name))
}

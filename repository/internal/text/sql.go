package text

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// SQL functions that check the type of a value: "Type checking functions" in Microsoft's
// reference of the query language.
const (
	IsNumber = "IS_NUMBER"
	IsString = "IS_STRING"
	IsBool   = "IS_BOOL"
	IsArray  = "IS_ARRAY"
	IsObject = "IS_OBJECT"
	IsNull   = "IS_NULL"
)

// OwnParameter is the prefix of parameters that the run time adds to a query. Callers'
// parameters cannot have it.
const OwnParameter = "@pkgen"

// Parameter is a parameter of a query and its value.
type Parameter struct {
	Name  string
	Value any
}

// Document is the name of the document in SQL.
const Document = "c"

// Property returns the SQL for the property of document c at a JSON pointer. In brackets
// and quotes every name is legal, even a reserved word.
func Property(pointer string) string { return Within(Document, pointer) }

// Within returns the SQL for the property at a JSON pointer within a named object.
func Within(name, pointer string) string {
	var b strings.Builder
	b.WriteString(name)
	for _, name := range jsonpointer.Names(pointer) {
		b.WriteString("[" + Quote(name) + "]")
	}
	return b.String()
}

// Column returns the SQL for a top-level property. Selected without AS it keeps its name in
// a row.
func Column(name string) string { return Property("/" + jsonpointer.Escape(name)) }

// Quote returns text as a literal of SQL, which is also JSON.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(quoted)
}

// Field is a field of generated code, parsed for SQL.
type Field struct {
	// Property is the SQL for the property.
	Property string

	// Omitted says that Go omits the property if it is zero, in objects that have a Holder.
	Omitted bool

	// Holder is the SQL for the object of the last Go pointer on the way to the property.
	// Without this object the property does not exist, zero or not. Holder is empty if
	// there is no pointer.
	Holder string

	// Top is the SQL for the first property on the way, if it has aliases. Aliases are the
	// field under each alias, the newest first.
	Top     string
	Aliases []Field
}

// Absent returns SQL that is true if Go has omitted a zero value, and false otherwise.
func (p Field) Absent() string {
	undefined := "NOT IS_DEFINED(" + p.Property + ")"
	if p.Holder == "" {
		return undefined
	}
	return "(" + IsObject + "(" + p.Holder + ") AND " + undefined + ")"
}

// ParseField parses a field: the JSON pointer of a property (RFC 6901), after a question
// mark if Go omits the property if it is zero. A number after the question mark is how many
// names of the pointer lead to the last struct that Go holds by a pointer: in
// ?1/meta/count, a zero count is omitted, and meta may be nil and then has no count.
//
// Names after < are the aliases of the first property: in ?<fullName/name, old documents
// have the name as fullName.
func ParseField(field string) (Field, error) { return ParseFieldOf(Document, field) }

// ParseFieldOf is ParseField for a field of a named subject in SQL: the element of a list.
// If the element is not an object, no property of it counts as zero.
func ParseFieldOf(of, field string) (Field, error) {
	if field == condition.Element {
		if of == Document {
			return Field{}, fmt.Errorf("field %q is the element of a list, and not one of documents: use it within Any or All of the list", field)
		}
		return Field{Property: of}, nil
	}
	mark, pointer, ok := strings.Cut(field, "/")
	mark, aliases, renamed := strings.Cut(mark, "<")
	if !ok || mark != "" && mark[0] != '?' {
		return Field{}, fmt.Errorf("field %q is not a JSON pointer: write / before each name, such as %q", field, "/"+field)
	}
	if !jsonpointer.WellEscaped(pointer) {
		return Field{}, fmt.Errorf("field %q is not a JSON pointer: write ~0 for ~ and ~1 for / in a name", field)
	}
	if renamed {
		return parseRenamed(of, mark, pointer, strings.Split(aliases, "<"))
	}
	p := Field{Property: Within(of, "/"+pointer), Omitted: mark != ""}
	if p.Omitted && of != Document {
		p.Holder = of
	}
	if len(mark) > 1 {
		names := strings.Split(pointer, "/")
		n, err := strconv.Atoi(mark[1:])
		if err != nil || n < 1 || n >= len(names) {
			return Field{}, fmt.Errorf("field %q: the number after ? is how many of the %d names before the last lead to a pointer: write ? alone if none does",
				field, len(names)-1)
		}
		p.Holder = Within(of, "/"+strings.Join(names[:n], "/"))
	}
	return p, nil
}

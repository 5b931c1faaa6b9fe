package text

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// SQL functions that tell the type of a value: "Type checking functions" in
// Microsoft's reference of the query language.
const (
	IsNumber = "IS_NUMBER"
	IsString = "IS_STRING"
	IsBool   = "IS_BOOL"
	IsArray  = "IS_ARRAY"
	IsObject = "IS_OBJECT"
	IsNull   = "IS_NULL"
)

// OwnParameter begins the names of the parameters that the run time adds to a
// query, which a caller's may not.
const OwnParameter = "@pkgen"

// Parameter is a parameter of a query and its value.
type Parameter struct {
	Name  string
	Value any
}

// Document is how SQL names the document.
const Document = "c"

// Property returns how SQL names the property at a JSON pointer of the document
// c. In brackets and quotes every name is legal, reserved words among them.
func Property(pointer string) string { return Within(Document, pointer) }

// Within returns how SQL names the property at a JSON pointer of an object that has a name.
func Within(name, pointer string) string {
	var b strings.Builder
	b.WriteString(name)
	for _, name := range jsonpointer.Names(pointer) {
		b.WriteString("[" + Quote(name) + "]")
	}
	return b.String()
}

// Column returns how SQL names the property of this name at the top of a document.
// Selected without AS it keeps its name in a row.
func Column(name string) string { return Property("/" + jsonpointer.Escape(name)) }

// Quote writes a text as a literal of SQL, which is that of JSON.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(quoted)
}

// Field is what a field of generated code says of a property, in terms of SQL.
type Field struct {
	// Property is how SQL names the property.
	Property string

	// Omitted says that Go leaves the property out when it is zero, in objects that
	// have a Holder.
	Omitted bool

	// Holder is how SQL names the object that the last Go pointer on the way to the
	// property points to. Without that object there is no property, zero or not.
	// Holder is empty if no pointer is on the way.
	Holder string

	// Top is how SQL names the property of the document on the way, if old documents
	// have it under other names: Aliases is the field by each of these, the newest first.
	Top     string
	Aliases []Field
}

// Absent returns SQL that is true of documents in which Go has left out a zero
// value, and false of others.
func (p Field) Absent() string {
	undefined := "NOT IS_DEFINED(" + p.Property + ")"
	if p.Holder == "" {
		return undefined
	}
	return "(" + IsObject + "(" + p.Holder + ") AND " + undefined + ")"
}

// ParseField takes a field apart: the JSON pointer of a property (RFC 6901), and
// before it a question mark if Go leaves the property out when it is zero. A
// number after the question mark says how many names of the pointer lead to the
// last struct that Go holds by a pointer: ?1/meta/count is a count that is left
// out of a meta that may itself be nil, and then has no count.
//
// Names after < are those under which old documents have the first property of the
// pointer: ?<fullName/name is a name that was called fullName.
func ParseField(field string) (Field, error) { return ParseFieldOf(Document, field) }

// ParseFieldOf is ParseField of a field of something else that has a name in SQL: the element
// of a list, which may be no object, so that no property of it counts as zero then.
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

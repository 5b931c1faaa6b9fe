package text

import (
	"encoding/json"
	"strings"
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

// Property returns how SQL names the property at a JSON pointer of the document
// c. In brackets and quotes every name is legal, reserved words among them.
func Property(pointer string) string {
	var b strings.Builder
	b.WriteString("c")
	for _, name := range Names(pointer) {
		b.WriteString("[" + Quote(name) + "]")
	}
	return b.String()
}

// Column returns how SQL names the property of this name at the top of a document.
// Selected without AS it keeps its name in a row.
func Column(name string) string { return Property("/" + Escape(name)) }

// Quote writes a text as a literal of SQL, which is that of JSON.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(quoted)
}

package cosmossql

import "strings"

// reserved are the words that cannot be identifiers, in any case, by the published grammar of the
// query language (sql.g4 of the .NET SDK).
//
// ALL, FIRST and LAST are keywords there too, but the grammar also allows them as identifiers. RANK
// is omitted: it is a keyword only after ORDER BY.
var reserved = map[string]bool{
	"AND": true, "ARRAY": true, "AS": true, "ASC": true, "BETWEEN": true,
	"BY": true, "DESC": true, "DISTINCT": true, "ESCAPE": true, "EXISTS": true,
	"FROM": true, "GROUP": true, "IN": true, "JOIN": true, "LEFT": true,
	"LIKE": true, "LIMIT": true, "NOT": true, "OFFSET": true, "OR": true,
	"ORDER": true, "RIGHT": true, "SELECT": true, "TOP": true, "VALUE": true,
	"WHERE": true,
}

// exactly are the words that are reserved in lower case only: TRUE is an ordinary identifier.
var exactly = map[string]bool{
	"false": true, "null": true, "true": true, "udf": true, "undefined": true,
}

// IsName reports whether a name consists of ASCII letters, digits and underscores, and does not
// begin with a digit. It may be a reserved word.
func IsName(name string) bool {
	if name == "" || !isLetter(name[0]) {
		return false
	}
	for i := range len(name) {
		if !isLetter(name[i]) && !isDigit(name[i]) {
			return false
		}
	}
	return true
}

// Keyword returns the canonical form of a reserved word, and reports whether name is one. A
// property with this name must be written c["name"], and cannot be in the definition of an index.
func Keyword(name string) (string, bool) {
	if exactly[name] {
		return name, true
	}
	upper := strings.ToUpper(name)
	return upper, reserved[upper]
}

package syntax

import "strings"

// reservedWords are the words that cannot be identifiers, in any case, by the
// published grammar of the query language (sql.g4 of the .NET SDK). A property of
// such a name must be written c["name"].
//
// ALL, FIRST and LAST are keywords there too, but the grammar also allows them
// as identifiers. RANK is left out: it is a keyword only after ORDER BY.
var reservedWords = map[string]bool{
	"AND": true, "ARRAY": true, "AS": true, "ASC": true, "BETWEEN": true,
	"BY": true, "DESC": true, "DISTINCT": true, "ESCAPE": true, "EXISTS": true,
	"FROM": true, "GROUP": true, "IN": true, "JOIN": true, "LEFT": true,
	"LIKE": true, "LIMIT": true, "NOT": true, "OFFSET": true, "OR": true,
	"ORDER": true, "RIGHT": true, "SELECT": true, "TOP": true, "VALUE": true,
	"WHERE": true,
}

// reservedExactly are the words that are reserved in lower case only: TRUE is
// an ordinary identifier.
var reservedExactly = map[string]bool{
	"false": true, "null": true, "true": true, "udf": true, "undefined": true,
}

// keyword returns the canonical form of a reserved word, and reports whether name
// is one.
func keyword(name string) (string, bool) {
	if reservedExactly[name] {
		return name, true
	}
	upper := strings.ToUpper(name)
	return upper, reservedWords[upper]
}

package keyfunc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Language is a language for key functions. [Lookup] and [Languages] return the valid ones; the
// zero value is not valid.
type Language struct {
	Name  string // its name on the command line, in lower case
	About string // the output and its requirements, for help
	write func(*function) (string, error)
}

// languages holds every language, in the order of the help.
var languages = []Language{
	{"python", "a function, for Python 3.9 or newer", writePython},
	{"javascript", "an exported function, for modules of ECMAScript 2020 or newer", writeJavaScript},
	{"java", "a class with a static method, for Java 9 or newer", writeJava},
	{"csharp", "a static class with a method, for C# 6 or newer", writeCSharp},
	{"sql", "a query, for keys that Cosmos DB's query language can compute", writeSQL},
	{"go", "a function that needs the standard library alone, and not pkgen", writeGo},
}

// Languages returns all languages, in the order of help. The caller may change the slice.
func Languages() []Language {
	return slices.Clone(languages)
}

// Lookup returns the language with a name. The error lists the languages, or suggests a correction.
func Lookup(name string) (Language, error) {
	names := make([]string, len(languages))
	for i, l := range languages {
		if l.Name == name {
			return l, nil
		}
		names[i] = l.Name
	}
	if near := spelling.Nearest(name, names); near != "" {
		return Language{}, fmt.Errorf("unknown language %q: did you mean %q?", name, near)
	}
	return Language{}, fmt.Errorf("unknown language %q: there are %s", name, strings.Join(names, ", "))
}

// Write returns the source text of the function that makes the partition key of t, ending with a
// line feed. It is deterministic.
//
// It returns an error, with the reason, for a layout that the language cannot express. Write does
// not change t, and is safe for concurrent use.
func (l Language) Write(t *templates.Type) (string, error) {
	source, err := l.write(newFunction(t))
	if err != nil {
		return "", fmt.Errorf("the key of %s cannot be written in %s: %w", t.Name, l.Name, err)
	}
	return source, nil
}

package vet_test

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/vet"
)

// A program that runs analyzers of golang.org/x/tools/go/analysis runs this one, too: it gives
// vet.Analyzer to multichecker.Main.
func ExampleAnalyzer() {
	first, _, _ := strings.Cut(vet.Analyzer.Doc, "\n")
	fmt.Println(vet.Analyzer.Name+":", first)
	// Output: pkgen: check cosmos tags and the use of what pkgen generates
}

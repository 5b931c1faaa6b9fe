package main

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/analyze"
)

// drawReport writes the charts of a report to a file.
var drawReport = func(path string, _ *analyze.Report) error {
	return fmt.Errorf("-o %s: this version draws no charts", path)
}

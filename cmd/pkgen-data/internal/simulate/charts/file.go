package charts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// pictureWidth is the width of pictures, in pixels.
const pictureWidth = 760

// endings are the file extensions that Write supports.
var endings = []string{".svg", ".html"}

// CheckPath returns an error if Write does not support a file's extension.
func CheckPath(path string) error {
	if slices.Contains(endings, filepath.Ext(path)) {
		return nil
	}
	return fmt.Errorf("%s ends in none of %s, the formats of charts: choose another name", path, strings.Join(endings, ", "))
}

// Write draws a report into a file: the throughput for .svg, and a page with
// all charts for .html.
func Write(path string, r *simulate.Report) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	var b bytes.Buffer
	var err error
	switch filepath.Ext(path) {
	case ".html":
		err = page(r).Write(&b)
	default:
		err = report.SVG(&b, Throughput(r), pictureWidth)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644) //nolint:gosec // a picture that all may see, where the user says
}

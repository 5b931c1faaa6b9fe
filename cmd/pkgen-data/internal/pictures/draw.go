package pictures

import (
	"errors"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// Endings are the file extensions that Draw supports.
var Endings = []string{".html", ".svg"}

// pictureWidth is the width of one chart, in pixels.
const pictureWidth = 1000

// Draw returns a report as a file: a page for ".html", and the most informative chart for ".svg".
// By is the version of pkgen.
func Draw(r *analyze.Report, ending, by string) ([]byte, error) {
	var b strings.Builder
	if ending == ".html" {
		err := Page(r, by).Write(&b)
		return []byte(b.String()), err
	}
	chart := One(r)
	if chart == nil {
		return nil, errors.New("there is nothing to draw: no document of the sample has a key")
	}
	err := report.SVG(&b, chart, pictureWidth)
	return []byte(b.String()), err
}

package cli

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// The values of -format; the first is the default.
const (
	FormatText   = "text"
	FormatGitHub = "github"
	FormatJSON   = "json"
)

// What a command cannot hold as it is, from escapeData and escapeProperty of
// GitHub's actions/toolkit, packages/core/src/command.ts.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	GithubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GithubText returns a message, of which GitHub's log is a terminal.
func GithubText(message string) string { return githubMessage.Replace(plain.Text(message)) }

// WriteJSON prints indented JSON, in which all that is not fit to be shown is
// escaped.
func WriteJSON(w io.Writer, value any) error {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, plain.JSON(b.String()))
	return err
}

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

// The characters that a workflow command escapes: escapeData and escapeProperty in GitHub's
// actions/toolkit, packages/core/src/command.ts.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	GitHubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHubText returns a message for GitHub's log, which interprets colour codes as a terminal does.
func GitHubText(message string) string { return githubMessage.Replace(plain.Text(message)) }

// WriteJSON prints indented JSON, and escapes unprintable characters.
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

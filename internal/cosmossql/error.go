package cosmossql

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error codes of the service. There is no published list: each code appears in an error that the
// repositories of Microsoft's SDKs quote, most in the query plan baselines of the .NET SDK.
const (
	codeSyntax      = "SC1001" // incorrect syntax near a word
	CodeIdentifier  = "SC2001" // an identifier that could not be resolved
	codeFunction    = "SC2005" // not a recognized built-in function name
	codeAlias       = "SC2021" // an alias that is specified more than once
	codeStar        = "SC2041" // SELECT * where it is not allowed
	CodeArity       = "SC2050" // a wrong number of arguments
	CodeCount       = "SC2060" // a TOP, OFFSET or LIMIT count that is not an integer
	codeNested      = "SC2101" // an aggregate over an aggregate or a subquery
	codeUngrouped   = "SC2102" // a projection outside of aggregates and GROUP BY
	codeSubOrder    = "SC2202" // ORDER BY in a subquery
	codeSubTop      = "SC2203" // TOP in a subquery
	codeSubOffset   = "SC2204" // OFFSET LIMIT in a subquery
	codeScoring     = "SC2221" // ORDER BY RANK something that scores no documents
	codeRankIn      = "SC2223" // ORDER BY RANK with IN in FROM
	codeRankJoin    = "SC2224" // ORDER BY RANK with JOIN
	codeRankFrom    = "SC2225" // ORDER BY RANK with a subquery in FROM
	codeSubRank     = "SC2228" // ORDER BY RANK in a subquery
	codeWeights     = "SC2229" // weights of RRF that are not numbers, or not one for each score
	codeTextScore   = "SC2240" // FullTextScore outside of ORDER BY RANK
	CodeOrderPath   = "2206"   // ORDER BY something other than a document path
	CodeUnsupported = "SC2990" // a construct that is currently not supported
	CodeEvaluation  = "SC3000" // our own: the evaluation cannot continue
)

// Error describes a mistake in a query, and its position.
//
// Line and Column count from 1; Column counts characters, not bytes. Start and End are byte offsets
// of the word in the query text. Code is the service's code. Word is the offending word as the
// query spells it; it is empty at the end of the query.
type Error struct {
	Line, Column int
	Start, End   int
	Code         string
	Word         string
	Message      string
}

// Error returns the position and the message on one line.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// NewError returns an Error for the bytes start to end of text.
func NewError(text string, start, end int, code, format string, args ...any) *Error {
	before := text[:start]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	return &Error{
		Line:    1 + strings.Count(before, "\n"),
		Column:  1 + utf8.RuneCountInString(before[lineStart:]),
		Start:   start,
		End:     end,
		Code:    code,
		Word:    text[start:end],
		Message: fmt.Sprintf(format, args...),
	}
}

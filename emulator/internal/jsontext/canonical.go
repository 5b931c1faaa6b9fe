package jsontext

import (
	"math"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// maxDepth is the maximum nesting of objects and arrays in an item ("Azure Cosmos DB service
// quotas").
const maxDepth = 128

// Canonical rewrites valid JSON as the service stores it: without white space, and with every
// number as a 64-bit floating point number, so integers beyond 2^53 lose their last digits. It
// refuses numbers out of that range, and values that are nested too deeply.
func Canonical(raw []byte) ([]byte, error) {
	return canonical(raw, 1) // the document itself
}

// canonical is Canonical for a value inside depth objects and arrays.
func canonical(raw []byte, depth int) ([]byte, error) {
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch ch := raw[i]; {
		case ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n':
			i++
		case ch == '"':
			end := jsonscan.StringEnd(raw, i)
			b = append(b, raw[i:end]...)
			i = end
		case ch == '-' || ch >= '0' && ch <= '9':
			end := jsonscan.End(raw, i)
			f, err := strconv.ParseFloat(string(raw[i:end]), 64)
			if err != nil {
				return nil, status.BadRequest("The number %s is out of the range of a 64-bit floating point number.", raw[i:end])
			}
			b = AppendNumber(b, f)
			i = end
		default:
			switch ch {
			case '{', '[':
				if depth++; depth > maxDepth {
					return nil, errTooDeep()
				}
			case '}', ']':
				depth--
			}
			b = append(b, ch)
			i++
		}
	}
	return b, nil
}

// errTooDeep is the error for values that are nested too deeply.
func errTooDeep() error {
	return status.BadRequest("The document is nested too deeply: at most %d levels are allowed.", maxDepth)
}

// AppendNumber writes a number as JavaScript does, which all clients read in the same way.
func AppendNumber(b []byte, f float64) []byte {
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, f+0, 'f', -1, 64)
}

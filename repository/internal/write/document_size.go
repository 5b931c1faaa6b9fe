package write

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxDocumentBytes is how large a document may be: the length of its JSON in UTF-8
// ("Azure Cosmos DB service quotas", limits of an item).
const maxDocumentBytes = 2 << 20

// checkSize returns an error if the service is certain to refuse a document for its
// size. The system's properties, which the service adds, are not in it, so that a
// document just below the limit may be refused all the same, with status 413.
func checkSize(body []byte) error {
	if len(body) <= maxDocumentBytes {
		return nil
	}
	if n := lengthInUTF8(body); n > maxDocumentBytes {
		return fmt.Errorf("%w: its JSON has %d bytes, and %d are possible: divide it, or keep large values elsewhere", wire.ErrTooLarge, n, maxDocumentBytes)
	}
	return nil
}

// lengthInUTF8 returns the length of JSON without the escapes that encoding/json
// writes for <, > and & in texts, and that others write for more: six bytes for a
// character of one to three, and twelve for one of four.
func lengthInUTF8(body []byte) int {
	const escape = 6 // bytes, as \u003c
	n := len(body)
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++ // what is escaped may be another backslash
		if i+4 >= len(body) || body[i] != 'u' {
			continue
		}
		r, err := strconv.ParseUint(string(body[i+1:i+5]), 16, 16)
		switch length := utf8.RuneLen(rune(r)); {
		case err != nil || r < ' ': // has to be escaped
		case length < 0: // half of a character of four bytes
			n -= escape - 2
		default:
			n -= escape - length
		}
		i += 4
	}
	return n
}

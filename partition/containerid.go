package partition

import (
	"fmt"
	"strings"
)

// MaxContainerID is the most characters of a container id, from the service quotas of Azure
// Cosmos DB (https://learn.microsoft.com/azure/cosmos-db/concepts-limits).
const MaxContainerID = 255

// AppendContainerText appends text for a container id that is made of a document's fields: it
// keeps the letters a to z, the digits, and a hyphen unless it is in separators, and writes
// every other UTF-8 byte as "_" and two lower-case hexadecimal digits, so "_" itself is "_5f".
// Different texts have different results, even if case is ignored, and the result has only
// characters that are legal in ids.
//
// It does not allocate if b has room, and is safe for concurrent use.
func AppendContainerText[T string | []byte](b []byte, text T, separators string) []byte {
	for i := range len(text) {
		if c := text[i]; plainInID(c, separators) {
			b = append(b, c)
		} else {
			b = append(b, '_', lowerHex[c>>4], lowerHex[c&0xF])
		}
	}
	return b
}

// plainInID reports whether AppendContainerText keeps a byte.
func plainInID(c byte, separators string) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' && !strings.Contains(separators, "-")
}

const lowerHex = "0123456789abcdef"

// ContainerText returns the text that [AppendContainerText] wrote with the same separators. It
// is strict, so that no two ids have the same text: it refuses encodings that
// AppendContainerText never writes, such as "_61" for a letter.
//
// The error is a [*KeyError] without type and field. It allocates the result only if it decodes
// something, and is safe for concurrent use.
func ContainerText(text, separators string) (string, error) {
	if !strings.Contains(text, "_") && !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7F || !plainInID(byte(r), separators) }) {
		return text, nil
	}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if plainInID(c, separators) {
			decoded = append(decoded, c)
			continue
		}
		high, low := -1, -1
		if c == '_' && i+2 < len(text) {
			high, low = strings.IndexByte(lowerHex, text[i+1]), strings.IndexByte(lowerHex, text[i+2])
		}
		if high < 0 || low < 0 || plainInID(byte(high<<4|low), separators) {
			return "", &KeyError{Reason: fmt.Sprintf("spells %q at byte %d in another way than the generated code", c, i)}
		}
		decoded = append(decoded, byte(high<<4|low))
		i += len("XX")
	}
	return string(decoded), nil
}

// ContainerID checks a container id that is made of a document's fields: at most
// [MaxContainerID] characters. Field names the only field that can make it too long, or is ""
// if several can. It does not allocate for a legal id.
func ContainerID(field, id string) Component {
	if len(id) <= MaxContainerID {
		return Component{}
	}
	what := "makes "
	if field == "" {
		what = "the fields of the container's id make "
	}
	return Component{field: field, reason: fmt.Sprintf("%san id of %d characters for the container, more than the %d that Cosmos DB allows, "+
		"where each byte other than a to z, 0 to 9 and perhaps a hyphen takes three: use a shorter text", what, len(id), MaxContainerID)}
}

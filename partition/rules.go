package partition

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// idProblem returns why id is not a legal item id, or "".
func idProblem(id string) string {
	if reason := textProblem(id); reason != "" {
		return reason
	}
	if len(id) > MaxIDBytes {
		return fmt.Sprintf("has %d bytes, more than the %d that Cosmos DB allows in an id: shorten it", len(id), MaxIDBytes)
	}
	if id == "." || id == ".." {
		return fmt.Sprintf("is %q, which HTTP takes for a step in the path: use another id", id)
	}
	for i := range len(id) {
		switch id[i] {
		case '/', '\\', '?', '#':
			return fmt.Sprintf(`has %q at byte %d: Cosmos DB restricts / \ ? # in ids, use another character`, id[i], i)
		}
	}
	if id[len(id)-1] == ' ' {
		return "ends with a space, which is lost in the request's path: trim it"
	}
	return escapeProblem(id)
}

// escapeProblem returns the reason why the path of a request cannot have id, or "": the
// service's routing gateway decodes a path once more than the client that signed it, so it
// responds with 401, or reads another document (TestItemIdEncodingRoutingGW of azcosmos;
// Azure/azure-cosmos-dotnet-v2, issues 150 and 458; for row keys of the Table API
// Azure/azure-sdk-for-net, issue 28111). A percent sign that is not before two hexadecimal
// digits is legal.
func escapeProblem(id string) string {
	for i := 0; i+2 < len(id); i++ {
		if id[i] == '%' && isHex(id[i+1]) && isHex(id[i+2]) {
			return fmt.Sprintf("has a percent sign before two hexadecimal digits at byte %d: "+
				"Cosmos DB decodes them in the path of a request, and misses the document, use another character", i)
		}
	}
	return ""
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// prefixProblem returns the reason why id is not prefix followed by at least one character, or
// "".
func prefixProblem(id, prefix string) string {
	switch {
	case !strings.HasPrefix(id, prefix):
		return fmt.Sprintf("does not begin with %q, as all ids of the type do: write that before it", prefix)
	case len(id) == len(prefix):
		return fmt.Sprintf("is %q and nothing more: write what tells documents of the type apart after it", prefix)
	}
	return ""
}

// keyTextProblem returns why text cannot be part of a partition key, or "".
func keyTextProblem(text string) string {
	if reason := textProblem(text); reason != "" {
		return reason
	}
	for i, r := range text {
		if r > 0xFFFF {
			return fmt.Sprintf("has %U at byte %d: azcosmos cannot send characters beyond U+FFFF, "+
				"emoji among them, in a partition key, use others", r, i)
		}
	}
	return ""
}

// textProblem returns why text cannot be part of any key or id, or "".
func textProblem(text string) string {
	if text == "" {
		return reasonEmpty
	}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Sprintf("is not valid UTF-8 at byte %d (%#02x): decode the text, or encode bytes as hexadecimal or base64url", i, text[i])
		case r < 0x20, 0x7F <= r && r <= 0x9F:
			return fmt.Sprintf("has the control character %U at byte %d: remove it", r, i)
		}
		i += size
	}
	return ""
}

package wire

import (
	"errors"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// errNoETag is why an ETag is not sent.
var errNoETag = errors.New("its ETag has a character that a header cannot hold, so that the service has not made it: read the document again")

// CheckETag returns an error if a header cannot hold an ETag as it is: of a control
// character the transport would make an error that looks like a broken connection,
// and space at its ends it would leave out.
func CheckETag(tag azcore.ETag) error {
	text := string(tag)
	if strings.Trim(text, " ") != text || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errNoETag
	}
	return nil
}

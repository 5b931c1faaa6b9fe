package repository

import (
	"errors"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// errNoETag is why an ETag is not sent.
var errNoETag = errors.New("its ETag has a character that a header cannot hold, so that it is none of the service's: read the document again")

// checkETag returns an error if a header cannot hold an ETag as it is: of a control
// character the transport would make an error that looks like a broken connection,
// and space at its ends it would leave out.
func checkETag(tag azcore.ETag) error {
	text := string(tag)
	if strings.Trim(text, " ") != text || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errNoETag
	}
	return nil
}

// checkedETag returns the ETag in doc, which is to be stored at p, empty if it has none.
func (d *Documents[T, K]) checkedETag(op string, p place, doc *T) (azcore.ETag, error) {
	field := d.etag(doc)
	if field == nil {
		return "", nil
	}
	tag := azcore.ETag(*field)
	if err := checkETag(tag); err != nil {
		return "", &Error{Op: op, Type: d.store.typ, ID: p.id, PartitionKey: p.name, Err: err}
	}
	return tag, nil
}

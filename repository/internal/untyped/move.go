package untyped

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// CopyToMove returns the copy of doc for its new place, and the ETag that the document at
// the old place must have.
func (d *Documents) CopyToMove(doc any) (write.Document, azcore.ETag, error) {
	d, err := d.of(write.OpMove, doc)
	if err != nil {
		return write.Document{}, "", err
	}
	if err := d.renewSuffix(write.OpMove, doc, d.isOutdated); err != nil {
		return write.Document{}, "", err
	}
	w, err := d.prepare(write.OpMove, doc)
	if err == nil {
		err = d.checkForm(write.OpMove, doc, w.Place)
	}
	if err != nil {
		return w, "", err
	}
	tag, err := d.IfMatchOf(write.OpMove, w.Place, doc)
	return w, tag, err
}

package untyped

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/unique"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// createAt is write.Create, wherever the document may be. It returns the document as it
// was stored.
func (d *Documents) createAt(ctx context.Context, doc any, w write.Document, repeated bool) (write.Document, azcore.ETag, error) {
	if d.Unique != nil {
		tag, err := d.Unique.Create(ctx, unique.NewWriter(), w, repeated || d.Writer.Random)
		return w, tag, err
	}
	if d.Types.Places == nil {
		tag, err := write.Create(ctx, d.Writer, w, repeated)
		return w, tag, err
	}
	places, err := d.Types.Places(d.Writer, doc)
	if err != nil {
		return w, "", err
	}
	return places.Create(ctx, w, repeated)
}

// upsertAt is write.Upsert, wherever the document is. It returns the document as it
// was stored.
func (d *Documents) upsertAt(ctx context.Context, doc any, w write.Document) (write.Document, azcore.ETag, error) {
	if d.Unique != nil {
		tag, err := d.Unique.Upsert(ctx, unique.NewWriter(), w, d.matcherOf(doc))
		return w, tag, err
	}
	if d.Types.Places == nil {
		tag, err := write.Upsert(ctx, d.Writer, w, d.matcherOf(doc))
		return w, tag, err
	}
	places, err := d.Types.Places(d.Writer, doc)
	if err != nil {
		return w, "", err
	}
	return places.Upsert(ctx, w)
}

// replaceAt is write.Replace, wherever the document is. It returns the document as it
// was stored.
func (d *Documents) replaceAt(ctx context.Context, doc any, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error) {
	if d.Unique != nil {
		tag, err := d.Unique.Replace(ctx, w, d.matcherOf(doc), unchanged)
		return w, tag, err
	}
	if d.Types.Places == nil {
		tag, err := write.Replace(ctx, d.Writer, wire.OpReplace, w, d.matcherOf(doc), unchanged)
		return w, tag, err
	}
	places, err := d.Types.Places(d.Writer, doc)
	if err != nil {
		return w, "", err
	}
	return places.Replace(ctx, wire.OpReplace, w, unchanged, d.RememberedText(doc))
}

// deleteUnchangedAt is Documents.DeleteIfMatch, wherever the document is.
func (d *Documents) deleteUnchangedAt(ctx context.Context, doc any, unchanged azcore.ETag) error {
	places, err := d.Types.Places(d.Writer, doc)
	if err != nil {
		return err
	}
	return places.DeleteUnchanged(ctx, unchanged, d.RememberedText(doc))
}

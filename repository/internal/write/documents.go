package write

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Create stores w as a new document, which repeated says may have been sent
// before. It returns the ETag of what is stored.
func Create(ctx context.Context, s *Writer, w Document, repeated bool) (azcore.ETag, error) {
	return Send(ctx, s, wire.OpCreate, w.Place, Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.CreateItem(ctx, w.Key, w.Body, wire.WriteOptions(ctx))
		},
		settle:   ifStored(s, wire.OpCreate, w),
		Repeated: repeated || s.Random,
		Creates:  true,
	})
}

// Upsert stores w, whether there is a document of its key already or not. It
// returns the ETag of what is stored. Here and below, means is that of verify.
func Upsert(ctx context.Context, s *Writer, w Document, means func(doc any) bool) (azcore.ETag, error) {
	if s.Knows() {
		return upsertVerified(ctx, s, wire.OpUpsert, w, means)
	}
	return Send(ctx, s, wire.OpUpsert, w.Place, Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.UpsertItem(ctx, w.Key, w.Body, wire.WriteOptions(ctx))
		},
		Creates: true,
	})
}

// Replace stores w in place of the document of its key, if that has the ETag
// unchanged or this is empty. It returns the ETag of what is stored.
func Replace(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, unchanged azcore.ETag) (azcore.ETag, error) {
	return replace(ctx, s, op, w, means, unchanged, true)
}

// replace is Replace. Last is that of ReplaceRequest.
func replace(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, unchanged azcore.ETag, last bool) (azcore.ETag, error) {
	if unchanged == azcore.ETagAny && s.Knows() {
		unchanged = ""
	}
	if s.Blind() && unchanged == "" || s.looksAtAll() {
		return replaceVerified(ctx, s, op, w, means, unchanged, last)
	}
	return Send(ctx, s, op, w.Place, ReplaceRequest(s, op, w, last, func(ctx context.Context) (azcosmos.ItemResponse, error) {
		return s.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, unchanged))
	}))
}

// looksAtAll reports whether also a write with an ETag looks first: the document may be
// one that is marked as deleted, and was read with its ETag.
func (s *Writer) looksAtAll() bool { return s.Stamps.Carries() || s.Deleted != nil }

// Delete removes the document at p, or marks it as deleted.
func Delete(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool) error {
	switch {
	case s.Deleted != nil && s.Ambiguous:
		return markVerified(ctx, s, p, means)
	case s.Deleted != nil:
		return mark(ctx, s, p, "", false)
	case s.Looks:
		return deleteVerified(ctx, s, wire.OpDelete, p, means)
	}
	_, err := Send(ctx, s, wire.OpDelete, p, DeleteRequest(s, p, ""))
	return err
}

// DeleteRequest removes the document at p, if it has the ETag unchanged or this is
// empty.
func DeleteRequest(s *Writer, p wire.Place, unchanged azcore.ETag) Request {
	return Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
		},
		settle: ifGone,
	}
}

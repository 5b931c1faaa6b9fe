package write

import (
	"context"
	"errors"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// OpMove names a move in errors and events.
const OpMove = "move"

// Move is a move under way.
//
// Each step first determines how far earlier runs came. Two rules ensure that one document
// remains: the old document is deleted only after the copy is stored, and the copy is
// removed only after the service has refused to delete the old document because it had
// changed. A read decides neither, because it may return an older state. If several
// programs make the same move, both rules can apply, each to another program, so withdraw
// reads once more.
type Move struct {
	*Writer           // for the container of the document
	To        *Writer // for its new container, which may be the same
	From      wire.Place
	Copy      Document    // the document as it is stored at the new place
	ETag      azcore.ETag // of the document to move
	RID       string
	raw       []byte             // the document at the old place
	Means     func(doc any) bool // reports whether a document is the one meant at the old place
	MeansCopy func(doc any) bool // the same for the new place
}

// Run makes the move, or its remaining steps. It returns the ETag of the document at the
// new place.
func (m *Move) Run(ctx context.Context) (azcore.ETag, error) {
	if m.To.Stamps != nil {
		m.Copy.Stamp = new(Stamp)
	}
	tag, err := m.ReadOrigin(ctx)
	if errors.Is(err, wire.ErrNotFound) {
		return m.arrived(ctx, err)
	}
	if err != nil {
		return "", err
	}
	if err := m.stampCopy(); err != nil {
		return "", err
	}
	if m.To == m.Writer && SamePlace(m.From, m.Copy.Place) {
		return Replace(ctx, m.Writer, OpMove, m.Copy, m.MeansCopy, m.ETag)
	}
	if tag == m.ETag {
		tag, err = m.createCopy(ctx)
	} else {
		var stands bool
		if tag, stands, err = m.copied(ctx); err == nil && !stands {
			err = m.ChangedError(m.From)
		}
	}
	if err != nil {
		return "", err
	}
	_, err = Send(ctx, m.Writer, OpMove, m.From, DeleteRequest(m.Writer, m.From, m.ETag))
	switch {
	case err == nil || errors.Is(err, wire.ErrNotFound):
		return tag, nil
	case errors.Is(err, wire.ErrPreconditionFailed):
		return m.withdraw(ctx, tag, err)
	}
	return "", wire.Noted(err, "the copy "+m.Copy.String()+" is there already, and the move can be resumed", nil)
}

// stampCopy stamps the copy as the successor of the old document, at the time when the move
// was prepared, so that each run makes the same copy.
func (m *Move) stampCopy() error {
	s := m.To.Stamps
	if s == nil {
		return nil
	}
	before, err := s.of(m.raw)
	var prepared Stamp
	if err == nil {
		prepared, err = s.of(m.Copy.Body)
	}
	if err == nil {
		prepared.Created, prepared.Version = before.Created, before.Version+1
		m.Copy, err = stamped(m.To, m.Copy, prepared)
	}
	if err != nil {
		return m.Failure(OpMove, m.From, err)
	}
	return nil
}

// ReadOrigin reads the document to move, and sets m.ETag and m.RID if they are empty. It
// returns the present ETag, or ErrNotFound if the document is gone.
func (m *Move) ReadOrigin(ctx context.Context) (azcore.ETag, error) {
	p := m.From
	doc, response, err := m.Read(ctx, OpMove, p)
	if err != nil {
		return "", err
	}
	if !m.Means(doc) {
		return "", m.ForeignError(OpMove, p, wire.ErrNotFound)
	}
	rid := strings.Trim(string(text.ValueAt(response.Value, []string{"_rid"})), `"`)
	if m.RID == "" {
		m.RID = rid
	}
	if m.RID != rid {
		return "", &documents.Error{
			Op: OpMove, Type: m.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrNotFound,
			Err: errors.New("it was deleted, and another one was stored under its key"),
		}
	}
	if m.ETag == "" {
		m.ETag = response.ETag
	}
	m.raw = response.Value
	return response.ETag, nil
}

// arrived handles a document that is gone from its old place. If the copy is stored, the
// move is complete. Otherwise it returns the error gone.
func (m *Move) arrived(ctx context.Context, gone error) (azcore.ETag, error) {
	tag, stands, err := m.copied(ctx)
	switch {
	case err != nil:
		return "", err
	case stands:
		return tag, nil
	case tag != "":
		return "", wire.Noted(gone, "and "+m.Copy.String()+" is another document, or was changed since", nil)
	}
	return "", gone
}

// copied reads the new place. It returns the ETag there, empty if there is no document, and
// whether it is the copy.
func (m *Move) copied(ctx context.Context) (azcore.ETag, bool, error) {
	answer, stands, err := storedAt(ctx, m.To, OpMove, m.Copy)
	if errors.Is(err, wire.ErrNotFound) {
		return "", false, nil
	}
	return answer.ETag, stands, err
}

// createCopy creates the copy, unless an earlier run has. It returns its ETag.
func (m *Move) createCopy(ctx context.Context) (azcore.ETag, error) {
	tag, err := Send(ctx, m.To, OpMove, m.Copy.Place, Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
			return m.To.CreateItem(ctx, m.Copy.Key, m.Copy.Body, wire.WriteOptions(ctx))
		},
		Creates: true,
	})
	if !errors.Is(err, wire.ErrAlreadyExists) {
		return tag, err
	}
	tag, stands, readErr := m.copied(ctx)
	switch {
	case readErr != nil:
		return "", wire.StillUnclear(readErr, errors.Is(err, wire.ErrUnclear))
	case !stands:
		return "", wire.Noted(err, "and nothing was moved", nil)
	}
	return tag, nil
}

// withdraw removes the copy with the ETag tag after the service refused to delete the old
// document, because that has changed. If the old place now has a document that was stored
// after the old one was deleted, the copy stays and the move is complete.
//
// Another program that makes the same move may have used this copy and deleted the old
// document. Then withdraw creates the copy again.
func (m *Move) withdraw(ctx context.Context, tag azcore.ETag, refused error) (azcore.ETag, error) {
	_, err := m.ReadOrigin(ctx)
	if errors.Is(err, wire.ErrNotFound) {
		return tag, nil
	}
	if err == nil {
		_, err = Send(ctx, m.To, OpMove, m.Copy.Place, DeleteRequest(m.To, m.Copy.Place, tag))
	}
	switch {
	case errors.Is(err, wire.ErrNotFound):
		return "", refused
	case err != nil:
		return "", wire.Noted(refused, "and two documents remain, because the copy could not be removed: "+err.Error(), err)
	}
	_, err = m.ReadOrigin(ctx)
	switch {
	case errors.Is(err, wire.ErrNotFound):
		return m.createCopy(ctx)
	case err != nil:
		return "", wire.Noted(refused, "and the copy was removed, but the old document may still exist: "+err.Error(), err)
	}
	return "", refused
}

// ChangedError is the error if the document at p has another ETag.
func (m *Move) ChangedError(p wire.Place) error {
	return &documents.Error{
		Op: OpMove, Type: m.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrPreconditionFailed,
		Err: errors.New("read it again, change it and move it then"),
	}
}

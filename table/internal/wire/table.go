package wire

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
)

// Table is a table, and the codec of its entities.
type Table struct {
	Client *aztables.Client
	Codec  *entity.Codec
	Name   string

	// Service is the client of the account. A transaction compares it.
	Service *aztables.ServiceClient

	// Seal is the command that seals the layout, if it is a draft.
	Seal string

	configured atomic.Bool // whether the client has the policy [Stays]
}

// SetDraft sets that the layout is a draft, which the command seals.
func (t *Table) SetDraft(command string) {
	t.Seal = command
	drafted.Store(true)
}

// Driver implements api.Driver for a table of documents of type T.
type Driver[T any] struct {
	*Table
	Settings *api.Settings
}

var _ api.Driver[struct{}] = Driver[struct{}]{}

// Encode returns the entity of a document. Callers see its error.
func (t *Table) Encode(at api.Place, doc any) ([]byte, error) {
	text, err := t.Codec.Encode(make([]byte, 0, 512), at.Partition, at.ID, doc)
	if field := (*documents.FieldError)(nil); errors.As(err, &field) && !errors.Is(err, failure.ErrTooLarge) {
		return nil, &failure.Answer{Err: failure.Trusted(field)}
	}
	return text, err
}

// noContent asks for no copy of an inserted entity.
var noContent = http.Header{"Prefer": {"return-no-content"}}

// Insert implements api.Driver.
func (d Driver[T]) Insert(ctx context.Context, at api.Place, doc *T) (string, error) {
	text, err := d.Encode(at, doc)
	if err != nil {
		return "", err
	}
	var added aztables.AddEntityResponse
	_, err = d.call(ctx, noContent, true, func(ctx context.Context) (err error) {
		added, err = d.Client.AddEntity(ctx, text, nil)
		return err
	})
	return version(added.ETag, err)
}

// Upsert implements api.Driver. It replaces the whole entity.
func (d Driver[T]) Upsert(ctx context.Context, at api.Place, doc *T) (string, error) {
	text, err := d.Encode(at, doc)
	if err != nil {
		return "", err
	}
	var stored aztables.UpsertEntityResponse
	_, err = d.call(ctx, nil, true, func(ctx context.Context) (err error) {
		stored, err = d.Client.UpsertEntity(ctx, text, &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
		return err
	})
	return version(stored.ETag, err)
}

// Replace implements api.Driver.
func (d Driver[T]) Replace(ctx context.Context, at api.Place, doc *T, known string) (string, error) {
	text, err := d.Encode(at, doc)
	if err != nil {
		return "", err
	}
	var stored aztables.UpdateEntityResponse
	_, err = d.call(ctx, nil, false, func(ctx context.Context) (err error) {
		stored, err = d.Client.UpdateEntity(ctx, text, &aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeReplace, IfMatch: match(known)})
		return err
	})
	return version(stored.ETag, err)
}

// match returns the condition of a version, which is any if the version is "".
func match(version string) *azcore.ETag {
	tag := azcore.ETagAny
	if version != "" {
		tag = azcore.ETag(version)
	}
	return &tag
}

// version returns the version of a write.
func version(tag azcore.ETag, err error) (string, error) {
	if err == nil && tag == "" {
		return "", cut()
	}
	return string(tag), err
}

// Remove implements api.Driver.
func (d Driver[T]) Remove(ctx context.Context, at api.Place, known string) error {
	_, err := d.call(ctx, nil, false, func(ctx context.Context) error {
		_, err := d.Client.DeleteEntity(ctx, at.Partition, at.ID, &aztables.DeleteEntityOptions{IfMatch: match(known)})
		return err
	})
	return err
}

// Read implements api.Driver.
func (d Driver[T]) Read(ctx context.Context, at api.Place) (api.Stored[T], error) {
	var found aztables.GetEntityResponse
	response, err := d.call(ctx, nil, false, func(ctx context.Context) (err error) {
		found, err = d.Client.GetEntity(ctx, at.Partition, at.ID, nil)
		return err
	})
	if err != nil {
		return api.Stored[T]{}, err
	}
	stored, timestamp, err := decode[T](d.Codec, found.Value, nil)
	if err == nil && stored.Place != at {
		return api.Stored[T]{}, cut()
	}
	if found.ETag != "" {
		stored.Version = string(found.ETag)
	}
	stored.Age = ageOf(timestamp, response)
	return stored, err
}

// decode reads an entity, and the time when it was last written.
func decode[T any](codec *entity.Codec, text []byte, note func(string, any)) (stored api.Stored[T], timestamp string, err error) {
	doc := new(T)
	read, err := codec.Decode(text, doc, note)
	field := (*documents.FieldError)(nil)
	switch {
	case errors.Is(err, entity.ErrCut):
		return stored, "", cut()
	case errors.As(err, &field):
		return stored, "", &failure.Answer{Err: failure.Trusted(field)}
	case err != nil:
		return stored, "", &failure.Answer{Err: err}
	}
	at := api.Place{Partition: read.Partition, ID: read.Row}
	return api.Stored[T]{Doc: doc, Place: at, Version: read.ETag}, read.Timestamp, nil
}

// Same implements api.Driver. It compares the stored forms.
func (d Driver[T]) Same(stored api.Stored[T], at api.Place, doc *T) (bool, error) {
	if stored.Place != at {
		return false, nil
	}
	one, err := d.Encode(at, stored.Doc)
	if err != nil {
		return false, err
	}
	other, err := d.Encode(at, doc)
	return bytes.Equal(one, other), err
}

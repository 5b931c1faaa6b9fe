package tenancy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrChanged is the error of a write of the directory that finds its document changed
// since it was read, or made meanwhile.
var ErrChanged = errors.New("the directory's document of the tenant has changed meanwhile")

// Records are the documents of a directory in its container, whose partition key path is
// /id. It is safe for concurrent use.
type Records struct{ c *wire.Container }

// typeName is what errors call the documents of a directory.
const typeName = "tenant directory"

// NewRecords returns the documents in a container.
func NewRecords(client *azcosmos.ContainerClient) *Records {
	c := &wire.Container{Client: client, Type: typeName, Paths: []string{"/id"}}
	if client == nil {
		c.Unusable = errors.New("the container of the directory is nil: make it with an *azcosmos.ContainerClient")
	}
	return &Records{c}
}

// place is where the document of an id is.
func place(id string) wire.Place {
	key, name := wire.PartitionKeyOf(id)
	return wire.Place{ID: id, Key: key, Name: name, Value: id}
}

// fetch returns the document of an id as it is stored, nil if there is none: one point
// read.
func (r *Records) fetch(ctx context.Context, id string) ([]byte, error) {
	const op = "look up"
	if err := r.c.Unusable; err != nil {
		return nil, &wire.OperationError{Op: op, Type: typeName, Err: err}
	}
	p := place(id)
	response, err := r.c.ReadItem(ctx, op, p)
	if err != nil {
		failure := r.c.Failed(op, id, "", false, err)
		if errors.Is(failure, wire.ErrNotFound) {
			return nil, nil
		}
		failure.Kind = nil // nothing that an operation of the tenant may take for its own
		return nil, failure
	}
	return response.Value, nil
}

// Read returns what the directory says of a tenant: one point read, 1 request unit.
func (r *Records) Read(ctx context.Context, shared, tenant string) (Document, error) {
	raw, err := r.fetch(ctx, DocumentID(shared, tenant))
	if err != nil || raw == nil {
		return NewDocument(shared, tenant), err
	}
	return ParseDocument(raw)
}

// Write stores d if nobody has changed the document since it was read, and returns it
// with its new ETag: one write. The error matches ErrChanged if somebody has. After an
// unclear failure it is sent no second time; the caller reads what is stored.
func (r *Records) Write(ctx context.Context, d Document) (Document, error) {
	unchanged := d.ETag
	d.ETag = ""
	body, err := json.Marshal(d)
	if err != nil {
		return d, err
	}
	tag, err := r.store(ctx, d.ID, body, unchanged)
	d.ETag = tag
	return d, err
}

// store creates a document, or replaces the one of an ETag.
func (r *Records) store(ctx context.Context, id string, body []byte, unchanged azcore.ETag) (azcore.ETag, error) {
	const op = "write"
	if err := r.c.Unusable; err != nil {
		return "", &wire.OperationError{Op: op, Type: typeName, Err: err}
	}
	p := place(id)
	callCtx, done := r.c.Begin(ctx, p.Event(op))
	callCtx, watch := wire.Watch(callCtx)
	var response azcosmos.ItemResponse
	var err error
	if unchanged == "" {
		response, err = r.c.Client.CreateItem(callCtx, p.Key, body, wire.WriteOptions(ctx))
	} else {
		response, err = r.c.Client.ReplaceItem(callCtx, p.Key, id, body, wire.IfMatch(ctx, unchanged))
	}
	if err == nil {
		err = wire.CheckWritten(response, id)
	}
	done(response.RequestCharge, err)
	if err == nil {
		return response.ETag, nil
	}
	failure := r.c.Failed(op, id, "", true, err)
	failure.Unclear = wire.IsUnclear(err) || watch.Unclear()
	if status := failure.Status; status == http.StatusConflict || status == http.StatusPreconditionFailed || status == http.StatusNotFound && failure.Substatus == 0 {
		failure.Kind = ErrChanged
	}
	return "", failure
}

// Times returns the times of the directory, and makes them the usual ones if nobody has
// said which they are: one point read, and one write the first time.
func (r *Records) Times(ctx context.Context) (Times, error) {
	return r.SetTimes(ctx, DefaultTimes(), false)
}

// SetTimes is Times with those that the directory gets if it has none. Strictly says that
// it is an error if it has others.
func (r *Records) SetTimes(ctx context.Context, want Times, strictly bool) (Times, error) {
	for {
		raw, err := r.fetch(ctx, settingsID)
		if err != nil {
			return Times{}, err
		}
		if raw != nil {
			var s settings
			if err := json.Unmarshal(raw, &s); err != nil {
				return Times{}, err
			}
			t, err := s.times()
			if err == nil && strictly && t != want {
				err = fmt.Errorf("the directory lets processes keep a residence for %v, and writes run for %v after that, not %v and %v: stop all processes before you remove its document %q", t.TTL, t.Grace, want.TTL, want.Grace, settingsID)
			}
			return t, err
		}
		body, err := json.Marshal(newSettings(want))
		if err != nil {
			return Times{}, err
		}
		if _, err := r.store(ctx, settingsID, body, ""); err != nil && !errors.Is(err, ErrChanged) {
			return Times{}, err
		}
	}
}

// List returns the documents of the tenants of a shared container, or of all if it is
// empty, in no order: a query of the whole directory.
func (r *Records) List(ctx context.Context, shared string) ([]Document, error) {
	const op = "list"
	if err := r.c.Unusable; err != nil {
		return nil, &wire.OperationError{Op: op, Type: typeName, Err: err}
	}
	statement, options := "SELECT * FROM c", &azcosmos.QueryOptions{}
	if shared != "" {
		statement += " WHERE c.shared = @shared"
		options.QueryParameters = []azcosmos.QueryParameter{{Name: "@shared", Value: shared}}
	}
	var all []Document
	pager := r.c.Client.NewQueryItemsPager(statement, azcosmos.NewPartitionKey(), options)
	for pager.More() {
		var page azcosmos.QueryItemsResponse
		err := wire.Reread(ctx, func() (err error) {
			callCtx, done := r.c.Begin(ctx, wire.Event{Op: op})
			if page, err = pager.NextPage(callCtx); err == nil {
				err = wire.CheckPage(page.RawResponse, page.Items, "id")
			}
			done(page.RequestCharge, err)
			return err
		})
		if err != nil {
			return nil, r.c.Failed(op, "", "", false, err)
		}
		for _, raw := range page.Items {
			var head struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(raw, &head); err != nil {
				return nil, err
			}
			if head.ID == settingsID {
				continue
			}
			d, err := ParseDocument(raw)
			if err != nil {
				return nil, err
			}
			all = append(all, d)
		}
	}
	return all, nil
}

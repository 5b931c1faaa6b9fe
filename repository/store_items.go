package repository

import (
	"context"
	"errors"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A write is a document on its way to the service.
type write struct {
	wire.Place
	body []byte
}

// create stores w as a new document, which repeated says may have been sent
// before. It returns the ETag of what is stored.
func create(ctx context.Context, s *store, w write, repeated bool) (azcore.ETag, error) {
	return sendWrite(ctx, s, wire.OpCreate, w.Place, sending{
		send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.Client.CreateItem(ctx, w.Key, w.body, wire.WriteOptions(ctx))
		},
		settle:   ifStored(s, wire.OpCreate, w),
		repeated: repeated || s.random,
	})
}

// upsert stores w, whether there is a document of its key already or not. It
// returns the ETag of what is stored. Here and below, means is that of verify.
func upsert(ctx context.Context, s *store, w write, means func(doc any) bool) (azcore.ETag, error) {
	if s.looks {
		return upsertVerified(ctx, s, wire.OpUpsert, w, means)
	}
	return sendWrite(ctx, s, wire.OpUpsert, w.Place, sending{
		send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.Client.UpsertItem(ctx, w.Key, w.body, wire.WriteOptions(ctx))
		},
	})
}

// replace stores w in place of the document of its key, if that has the ETag
// unchanged or this is empty. It returns the ETag of what is stored.
func replace(ctx context.Context, s *store, op string, w write, means func(doc any) bool, unchanged azcore.ETag) (azcore.ETag, error) {
	if s.looks && (unchanged == "" || unchanged == azcore.ETagAny) {
		return replaceVerified(ctx, s, op, w, means)
	}
	return sendWrite(ctx, s, op, w.Place, sending{
		send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.Client.ReplaceItem(ctx, w.Key, w.ID, w.body, wire.IfMatch(ctx, unchanged))
		},
		// A document equal to w is no sign that w was stored: two programs that count
		// the same event make the same of what they have both read.
	})
}

// fetch reads the document at p, whosever it is.
func (s *store) fetch(ctx context.Context, op string, p wire.Place) (azcosmos.ItemResponse, error) {
	if err := s.joinSession(ctx, op); err != nil {
		return azcosmos.ItemResponse{}, err
	}
	return s.readStored(ctx, op, p)
}

// read reads the document at p, and returns the response as well.
func (s *store) read(ctx context.Context, op string, p wire.Place) (any, azcosmos.ItemResponse, error) {
	var none azcosmos.ItemResponse
	response, err := s.fetch(ctx, op, p)
	if err != nil {
		return nil, none, err
	}
	if !s.mine(response.Value) {
		return nil, none, s.otherType(op, p, response.Value, ErrNotFound)
	}
	doc, err := s.decode(response.Value)
	if err != nil {
		return nil, none, &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	return doc, response, nil
}

// readStored reads the document at p as it is stored, whatever its type.
func (s *store) readStored(ctx context.Context, op string, p wire.Place) (azcosmos.ItemResponse, error) {
	response, err := s.ReadItem(ctx, op, p)
	if err != nil {
		return response, wire.NewOperationError(op, s.Type, p.ID, p.Name, err)
	}
	return response, nil
}

// remove removes the document at p.
func remove(ctx context.Context, s *store, p wire.Place, means func(doc any) bool) error {
	if s.looks {
		return deleteVerified(ctx, s, wire.OpDelete, p, means)
	}
	_, err := sendWrite(ctx, s, wire.OpDelete, p, deletion(s, p, ""))
	return err
}

// deletion removes the document at p, if it has the ETag unchanged or this is
// empty.
func deletion(s *store, p wire.Place, unchanged azcore.ETag) sending {
	return sending{
		send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.Client.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
		},
		settle: ifGone,
	}
}

// prepared makes the JSON to be stored of doc, whose key is known to be sound.
func prepared(s *store, op string, p wire.Place, doc any) (write, error) {
	w := write{Place: p}
	var err error
	if w.body, err = marshal(doc, w.ID); err == nil {
		err = s.integers.check(w.body) // what the rest has is as it was stored
	}
	if err == nil && s.rest != nil {
		w.body, err = s.rest.write(doc, w.body)
	}
	if err == nil {
		err = asWritten(s, w.body, w.Place)
	}
	if err == nil {
		w.body, err = setKey(s, w.body, w.Place)
	}
	if err == nil {
		w.body, err = setType(s, w.body)
	}
	if err == nil {
		err = checkSize(w.body)
	}
	if err != nil {
		return write{}, &wire.OperationError{Op: op, Type: s.Type, ID: w.ID, PartitionKey: w.Name, Err: err}
	}
	return w, nil
}

// unmoved returns an error if a document remembers to be stored under another key
// than that of p, which its fields give. It remembers nothing if the field is nil.
func unmoved(s *store, op string, p wire.Place, remembered *string) error {
	if remembered == nil || *remembered == "" || *remembered == p.Text {
		return nil
	}
	return &wire.OperationError{
		Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: ErrKeyChanged,
		Err: errors.New("it is stored under " + strconv.Quote(*remembered)),
	}
}

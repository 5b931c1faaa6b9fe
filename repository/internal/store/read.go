package store

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Fetch reads the document at p, whosever it is.
func (s *Store) Fetch(ctx context.Context, op string, p wire.Place) (azcosmos.ItemResponse, error) {
	if err := s.JoinSession(ctx, op); err != nil {
		return azcosmos.ItemResponse{}, err
	}
	return s.ReadStored(ctx, op, p)
}

// Read reads the document at p, and returns the response as well.
func (s *Store) Read(ctx context.Context, op string, p wire.Place) (any, azcosmos.ItemResponse, error) {
	var none azcosmos.ItemResponse
	response, err := s.Fetch(ctx, op, p)
	if err != nil {
		return nil, none, err
	}
	if err := s.Refuse(op, p, response.Value, wire.ErrNotFound); err != nil {
		return nil, none, err
	}
	doc, err := s.Decode(response.Value)
	if err != nil {
		return nil, none, s.Failure(op, p, err)
	}
	return doc, response, nil
}

// ReadStored reads the document at p as it is stored, whatever its type.
func (s *Store) ReadStored(ctx context.Context, op string, p wire.Place) (azcosmos.ItemResponse, error) {
	response, err := s.ReadItem(ctx, op, p)
	if err != nil {
		return response, s.Failed(op, p.ID, p.Name, false, err)
	}
	return response, nil
}

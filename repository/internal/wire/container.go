package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Container is a container of documents of one type, and what every request for them
// needs. It is safe for concurrent use once its fields are set.
type Container struct {
	Client     *azcosmos.ContainerClient
	Type       string   // of the documents, for errors and events
	Paths      []string // of the partition key, one for each level
	Partitions route.Partitions

	Missing *Missing // nil for a container that has to exist

	// Resident says that each operation is of one tenant, and that its context says where
	// that lives: see WithStay.
	Resident bool

	Hedge *Hedge // nil if one region is asked alone

	Unusable error                        // why no request is sent; nil if nothing is wrong
	Observe  func(context.Context, Event) // is called after each request, unless nil

	draft string      // the command that seals the layout of the key; "" if that is no draft
	here  atomic.Bool // the documents of a draft are on this machine
}

// Join returns why no operation can be sent: the container cannot be used, or the
// context has a session, for which the client was not configured.
func (c *Container) Join(ctx context.Context) error {
	if c.Unusable != nil {
		return c.Unusable
	}
	if c.Resident {
		if _, ok := ctx.Value(stayKey{}).(*Stay); !ok {
			return errNoStay
		}
	}
	if sessionOf(ctx) == nil {
		return nil
	}
	// For other reasons than this, tokens of all physical partitions are sent.
	if _, _, err := c.Physical(ctx); errors.Is(err, route.ErrNotConfigured) {
		return fmt.Errorf("a session is of no use: %w", err)
	}
	return nil
}

// Physical returns the physical partitions of the container and the version of that
// map, or why queries cannot be scoped to them. The first call for a container sends
// up to three requests for metadata, later ones none. For a draft, one request more
// finds out whether the container is on this machine.
func (c *Container) Physical(ctx context.Context) (m *route.Map, version int, err error) {
	if err := c.Stays(ctx); err != nil {
		return nil, 0, err
	}
	return c.Partitions.Read(ctx, c.Client)
}

// Refresh returns the physical partitions after a request has shown that those of
// this version are gone. Of several callers at once, one sends requests.
func (c *Container) Refresh(ctx context.Context, version int) (*route.Map, int, error) {
	return c.Partitions.Refresh(ctx, c.Client, version)
}

// Properties reads the container's properties: one request, sent again if its answer
// is broken.
func (c *Container) Properties(ctx context.Context) (*azcosmos.ContainerProperties, error) {
	var response azcosmos.ContainerResponse
	err := Reread(ctx, func() (err error) {
		response, err = c.Client.Read(ctx, nil)
		return ContainerAnswer(response, c.Client.ID(), err)
	})
	if err != nil {
		return nil, err
	}
	return response.ContainerProperties, nil
}

// ReadItem reads the document at p, whatever its type: one request, sent again if its
// answer is broken.
func (c *Container) ReadItem(ctx context.Context, op string, p Place) (response azcosmos.ItemResponse, err error) {
	err = Reread(ctx, func() error {
		if c.hedges(ctx, op) {
			response, err = c.readHedged(ctx, op, p)
		} else {
			response, err = c.readFrom(ctx, c.Target(ctx), op, p)
		}
		return err
	})
	return response, err
}

// Failure returns the error of an operation on the document at p.
func (c *Container) Failure(op string, p Place, err error) *OperationError {
	return &OperationError{Op: op, Type: c.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
}

// EPK computes the effective partition key of a document.
func (c *Container) EPK(document []byte) (string, error) {
	values := make([]any, len(c.Paths))
	for i, path := range c.Paths {
		raw := text.ValueAt(document, text.Names(path))
		if raw == nil {
			values[i] = partition.Undefined{}
			continue
		}
		if err := json.Unmarshal(raw, &values[i]); err != nil {
			return "", err
		}
	}
	return partition.EPK(values...)
}

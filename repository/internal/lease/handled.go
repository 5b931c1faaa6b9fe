package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// nameDocuments is a property of the document that says that leases were created: the
// types of the documents that the processor handles.
const nameDocuments = "pkgenDocuments"

// info returns the document that says that leases were created.
func (c *Container) info() ([]byte, error) {
	said := map[string]any{nameID: c.Prefix.info()}
	if len(c.Documents) > 0 {
		said[nameDocuments] = c.Documents
	}
	return json.Marshal(said)
}

// created reports whether the leases were created. It returns an error if they are for
// documents of a type that this process does not handle: it would leave them out, and
// save progress beyond them. A process that handles more types than those before it says
// so in the document, so that such a process cannot follow it.
func (c *Container) created(ctx context.Context) (bool, error) {
	for {
		response, err := c.Leases.ReadItem(ctx, opRead, place(c.Prefix.info()))
		if err != nil {
			if err = c.failure(opRead, c.Prefix.info(), err); errors.Is(err, ErrGone) {
				return false, nil
			}
			return false, err
		}
		c.time().read(response.RawResponse)
		said := handled(response.Value)
		if len(said) == 0 || len(c.Documents) == 0 {
			return true, nil // another SDK created them, or the container has one type
		}
		for _, documents := range said {
			if !slices.Contains(c.Documents, documents) {
				return false, fmt.Errorf("the processor %q has leases for documents of another type, for %s, and this process would leave out what others handle: "+
					"give each type a processor with a name of its own, or have one handle all by a Mux", c.Processor, strings.Join(said, " and "))
			}
		}
		if len(c.Documents) == len(said) {
			return true, nil
		}
		info, err := c.info()
		if err != nil {
			return false, err
		}
		_, err = c.write(ctx, opReplace, c.Prefix.info(), func(ctx context.Context, p wire.Place) (azcosmos.ItemResponse, error) {
			return c.Leases.Client.ReplaceItem(ctx, p.Key, p.ID, info, wire.IfMatch(ctx, response.ETag))
		})
		if !errors.Is(err, ErrChanged) && !errors.Is(err, ErrGone) {
			return err == nil, err
		}
	}
}

// handled returns the types of documents that leases are for, nil if info does not say.
func handled(info []byte) (documents []string) {
	said := text.Member(info, nameDocuments)
	if json.Unmarshal(said, &documents) != nil {
		return nil
	}
	return documents
}

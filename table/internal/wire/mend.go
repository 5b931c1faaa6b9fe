package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
)

// aztables 1.4.1 writes the keys of a transaction into addresses without doubling their
// apostrophes. So this package passes keys with doubled apostrophes, and the policy of
// Configure restores the keys in the entities.

// mendKey marks the context of a request with doubled apostrophes.
type mendKey struct{}

// seenKey is the key of a *bool that the policy of Configure sets.
type seenKey struct{}

func hasApostrophe(at api.Place) bool {
	return strings.Contains(at.Partition, "'") || strings.Contains(at.ID, "'")
}

// mends reports whether the client has the policy. If no request has shown it yet, mends sends
// a point read.
func (t *Table) mends(ctx context.Context, at api.Place) bool {
	if !t.configured.Load() {
		_, _ = t.call(ctx, nil, false, func(ctx context.Context) error {
			_, err := t.Client.GetEntity(ctx, at.Partition, at.ID, nil)
			return err
		})
	}
	return t.configured.Load()
}

// keysAlone is an entity that has only keys.
func keysAlone(at api.Place) []byte {
	text, _ := json.Marshal(map[string]string{entity.PartitionKey: at.Partition, entity.RowKey: at.ID})
	return text
}

// keys finds the keys in JSON texts of entities. Other properties cannot match, because their
// quotes are escaped.
var keys = regexp.MustCompile(`"(?:PartitionKey|RowKey)":"(?:[^"\\]|\\.)*"`)

// double doubles the apostrophes of the keys in an entity.
func double(text []byte) []byte {
	return keys.ReplaceAllFunc(text, func(key []byte) []byte { return bytes.ReplaceAll(key, []byte("'"), []byte("''")) })
}

// mend reverses double in the entities of a request.
func mend(r *policy.Request) error {
	if r.Body() == nil {
		return nil
	}
	text, err := io.ReadAll(r.Body())
	if err != nil {
		return err
	}
	text = keys.ReplaceAllFunc(text, func(key []byte) []byte { return bytes.ReplaceAll(key, []byte("''"), []byte("'")) })
	return r.SetBody(streaming.NopCloser(bytes.NewReader(text)), r.Raw().Header.Get("Content-Type"))
}

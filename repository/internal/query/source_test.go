package query

import (
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// readFrom returns a store of whole documents, as JSON has them.
func readFrom(c *azcosmos.ContainerClient, typ string) *store.Store {
	return &store.Store{
		Container: wire.Container{Client: c, Type: typ, Paths: []string{"/pk"}},
		Settings:  store.Settings{Concurrency: 32, MaxKeys: 10_000, Unmarshal: json.Unmarshal},
		Decode:    func(raw []byte) (any, error) { return raw, nil },
	}
}

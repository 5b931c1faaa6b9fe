package repository

import (
	"encoding/json"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

var plain = harness.Properties("c", "/pk")

// sourceOf makes an account with a container, and returns both.
func sourceOf(t *testing.T, o emulator.Options) (*harness.Account, *store.Store) {
	t.Helper()
	account, container := harness.NewContainer(t, o, plain, Configure(nil))
	return account, &store.Store{Container: wire.Container{Client: container, Type: "Doc", Paths: []string{"/pk"}}, Settings: settingsOf(nil).Settings, Decode: (&untyped.Types{Fresh: func() any { return new(merging) }}).Decoding(json.Unmarshal)}
}

package kit

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func NewClicks(t *testing.T) (*harness.Account, *clickstream.ClickRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, clickstream.ClickContainer(), repository.Configure(nil))
	return server, clickstream.NewClickRepository(container)
}

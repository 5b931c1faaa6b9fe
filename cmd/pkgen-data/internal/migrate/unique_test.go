package migrate

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// TestUniqueRefused does not copy documents without the reservations of their values.
func TestUniqueRefused(t *testing.T) {
	from, to := &account.Container{ID: "a", RID: "1"}, &account.Container{ID: "b", RID: "2"}
	from.PartitionKey.Version, to.PartitionKey.Version = account.Version, account.Version
	o := Options{Workers: 1, From: from, To: to, Types: []lock.Entry{{Type: "User", Layout: "{id}", Unique: "email"}}}
	if err := o.check(); err == nil || !strings.Contains(err.Error(), "creates the documents in the other") {
		t.Error(err)
	}
}

package tenants

import (
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// TestTimesOfDirectories sets the times of a directory once. Others are refused later.
func TestTimesOfDirectories(t *testing.T) {
	t.Parallel()
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	ensure := func(opts ...tenancy.DirectoryOption) string {
		_, err := tenancy.EnsureTenantDirectory(t.Context(), db, "directory", admin.AnyThroughput(), opts...)
		if err != nil {
			return err.Error()
		}
		return ""
	}
	ttl, grace := tenancy.WithResidenceTTL, tenancy.WithResidenceGrace
	for _, tt := range []struct {
		options []tenancy.DirectoryOption
		want    string
	}{
		{[]tenancy.DirectoryOption{ttl(0)}, "cannot be remembered for 0s"},
		{[]tenancy.DirectoryOption{grace(0)}, "cannot be let run for 0s"},
		{[]tenancy.DirectoryOption{grace(-time.Second)}, "cannot be let run for -1s"},
		{[]tenancy.DirectoryOption{grace(2 * time.Hour)}, "cannot be let run for 2h0m0s"},
		{[]tenancy.DirectoryOption{ttl(time.Second), grace(2 * time.Second)}, ""},
		{[]tenancy.DirectoryOption{grace(2 * time.Second), ttl(time.Second)}, ""},
		{nil, ""},
		{[]tenancy.DirectoryOption{ttl(time.Second)}, "keep a residence for 1s, and writes run for 2s after that, not 1s and 35s"},
		{[]tenancy.DirectoryOption{ttl(time.Second), grace(time.Second)}, "not 1s and 1s"},
	} {
		if got := ensure(tt.options...); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%d options: %q, want %q", len(tt.options), got, tt.want)
		}
	}
}

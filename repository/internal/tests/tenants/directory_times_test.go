package tenants

import (
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestTimesOfDirectories sets the times of a directory once. Others are refused later.
func TestTimesOfDirectories(t *testing.T) {
	t.Parallel()
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	ensure := func(opts ...repository.DirectoryOption) string {
		_, err := repository.EnsureTenantDirectory(t.Context(), db, "directory", repository.AnyThroughput(), opts...)
		if err != nil {
			return err.Error()
		}
		return ""
	}
	ttl, grace := repository.WithResidenceTTL, repository.WithResidenceGrace
	for _, tt := range []struct {
		options []repository.DirectoryOption
		want    string
	}{
		{[]repository.DirectoryOption{ttl(0)}, "cannot be remembered for 0s"},
		{[]repository.DirectoryOption{grace(0)}, "cannot be let run for 0s"},
		{[]repository.DirectoryOption{grace(-time.Second)}, "cannot be let run for -1s"},
		{[]repository.DirectoryOption{grace(2 * time.Hour)}, "cannot be let run for 2h0m0s"},
		{[]repository.DirectoryOption{ttl(time.Second), grace(2 * time.Second)}, ""},
		{[]repository.DirectoryOption{grace(2 * time.Second), ttl(time.Second)}, ""},
		{nil, ""},
		{[]repository.DirectoryOption{ttl(time.Second)}, "keep a residence for 1s, and writes run for 2s after that, not 1s and 35s"},
		{[]repository.DirectoryOption{ttl(time.Second), grace(time.Second)}, "not 1s and 1s"},
	} {
		if got := ensure(tt.options...); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%d options: %q, want %q", len(tt.options), got, tt.want)
		}
	}
}

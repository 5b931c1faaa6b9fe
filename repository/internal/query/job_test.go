package query

import (
	"context"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

func TestJobsHoldEveryValueOnce(t *testing.T) {
	var client azcosmos.ClientOptions
	wire.AddPolicies(&client)
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 7}, harness.Properties("c", "/pk"), &client)
	s := readFrom(container, "Doc")
	m, _, err := s.Physical(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var values []Target
	for i := range 500 {
		for _, value := range []any{float64(i), i%2 == 0, string(rune('a' + i))} {
			values = append(values, Target{Value: value})
		}
	}
	if err := locateAll(values); err != nil {
		t.Fatal(err)
	}
	jobs := scopedJobs(values, "", false, m, 1)
	n := 0
	for _, j := range jobs {
		n += len(j.values)
	}
	if n != len(values) || len(jobs) != 7 {
		t.Errorf("%d jobs hold %d values of %d", len(jobs), n, len(values))
	}
}

package store

import "testing"

// TestLeast has the examples of "Azure Cosmos DB service quotas" and of the FAQ about
// autoscale, minimum throughput.
func TestLeast(t *testing.T) {
	for _, test := range []struct{ highest, gigabytes, manual, autoscale int }{
		{400, 0, 400, 1000},
		{50_000, 20, 500, 5000},
		{50_000, 2000, 2000, 20_000},
		{10_000, 50, 400, 1000},
		{10_000, 205, 400, 3000},
		{100_000, 0, 1000, 10_000},
		{100_100, 0, 1100, 11_000},
	} {
		stored := test.gigabytes << 30
		if got := leastManual(test.highest, stored); got != test.manual {
			t.Errorf("manual, %d RU/s once and %d GB: got %d, want %d", test.highest, test.gigabytes, got, test.manual)
		}
		if got := leastAutoscale(test.highest, stored); got != test.autoscale {
			t.Errorf("autoscale, %d RU/s once and %d GB: got %d, want %d", test.highest, test.gigabytes, got, test.autoscale)
		}
	}
}

package report_test

import (
	"math"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 4.4: "4.4", 28.57: "28.6", 0.0313: "0.0313", 99.96: "100", 123.4: "123", 1000: "1,000", 1234567.8: "1,234,568", -1500: "−1,500", 0.00001: "0", 3.60: "3.6",
	} {
		if got := report.Number(v); got != want {
			t.Errorf("Number(%v) is %q, want %q", v, got, want)
		}
	}
	if got := report.Number(math.NaN()); got != "–" {
		t.Errorf("no number is %q", got)
	}
}

package store

import (
	"fmt"
	"slices"
	"testing"
)

func TestBoundsOfEvenRanges(t *testing.T) {
	// The bounds that the service gives to containers of this many partitions.
	const f = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	tests := []struct {
		n    int
		want []string
	}{
		{1, []string{"", "FF"}},
		{2, []string{"", "1" + f, "FF"}},
		{4, []string{"", "0" + f, "1" + f, "2" + f, "FF"}},
	}
	for _, test := range tests {
		ranges := splitEvenly(test.n)
		got := []string{ranges[0].Min}
		for i, r := range ranges {
			if r.Min != got[i] || r.ID != fmt.Sprint(i) {
				t.Errorf("%d: range %d is %q from %q, and the one before ends at %q", test.n, i, r.ID, r.Min, got[i])
			}
			got = append(got, r.Max)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d: bounds %q, want %q", test.n, got, test.want)
		}
	}
}

func TestMiddleEPK(t *testing.T) {
	const f = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	for _, test := range []struct{ min, max, want string }{
		{"", "FF", "1" + f},
		{"", "1" + f, "0" + f},
		{"1" + f, "FF", "2" + f},
		{"0" + f, "1" + f, "17" + f[1:]},
	} {
		if got, err := middleEPK(test.min, test.max); err != nil || got != test.want {
			t.Errorf("middle of %q and %q is %q, %v; want %q", test.min, test.max, got, err, test.want)
		}
	}
	for _, test := range [][2]string{{"", "00000000000000000000000000000000"}, {"1" + f, "1" + f}} {
		if got, err := middleEPK(test[0], test[1]); err == nil {
			t.Errorf("middle of %q and %q is %q, want an error", test[0], test[1], got)
		}
	}
}

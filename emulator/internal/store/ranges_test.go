package store

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/partition"
)

func TestBoundsOfEvenRanges(t *testing.T) {
	// The bounds that the service gives to containers of this many partitions.
	const f = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	tests := []struct {
		keys *keySpace
		n    int
		want []string
	}{
		{keysV2, 1, []string{"", "FF"}},
		{keysV2, 2, []string{"", "1" + f, "FF"}},
		{keysV2, 4, []string{"", "0" + f, "1" + f, "2" + f, "FF"}},
		{keysV1, 1, []string{"", "FF"}},
		{keysV1, 4, []string{"", "05C1CFFFFFFFF8", "05C1DFFFFFFFFC", "05C1E7FFFFFFFE", "FF"}},
	}
	for _, test := range tests {
		ranges := test.keys.splitEvenly(test.n)
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

func TestMiddleOfRanges(t *testing.T) {
	const f = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	for _, test := range []struct {
		keys           *keySpace
		min, max, want string
	}{
		{keysV2, "", "FF", "1" + f},
		{keysV2, "", "1" + f, "0" + f},
		{keysV2, "1" + f, "FF", "2" + f},
		{keysV2, "0" + f, "1" + f, "17" + f[1:]},
		{keysV1, "", "FF", "05C1DFFFFFFFFC"},
		{keysV1, "05C1DFFFFFFFFC", "FF", "05C1E7FFFFFFFE"},
	} {
		if got, err := test.keys.middle(test.min, test.max); err != nil || got != test.want {
			t.Errorf("middle of %q and %q is %q, %v; want %q", test.min, test.max, got, err, test.want)
		}
	}
	for _, test := range [][2]string{{"", "00000000000000000000000000000000"}, {"1" + f, "1" + f}} {
		if got, err := keysV2.middle(test[0], test[1]); err == nil {
			t.Errorf("middle of %q and %q is %q, want an error", test[0], test[1], got)
		}
	}
}

// TestBoundsOfVersion1 has bounds that numbers make again, and that divide keys by
// their hashes: a bound is written as the beginning of a key with that hash.
func TestBoundsOfVersion1(t *testing.T) {
	for _, hash := range []uint64{0, 1, 2, 127, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		n := new(big.Int).SetUint64(hash)
		bound := boundV1(n)
		if got := numberV1(bound); got.Cmp(n) != 0 {
			t.Errorf("%d is the bound %s, which is %s", hash, bound, got)
		}
		key, err := partition.EPKV1(hash)
		if err != nil || !strings.HasSuffix(key, bound) {
			t.Errorf("the number %d is %s in a bound, and in the key %s, %v", hash, bound, key, err)
		}
	}
}

func TestRangeOfKeyVersion1(t *testing.T) {
	c := &Container{key: KeyDefinition{Paths: []string{"/pk"}, Kind: kindHash}, Ranges: keysV1.splitEvenly(4)}
	used := map[string]bool{}
	for i := range 40 {
		k, err := c.NewKey([]any{fmt.Sprint("k", i)})
		if err != nil {
			t.Fatal(err)
		}
		hash := numberV1(k.EPK[:strings.Index(k.EPK[2:], "08")+2])
		want := new(big.Int).Rsh(hash, 30).Uint64()
		if got := c.rangeOf(k.EPK).ID; got != fmt.Sprint(want) {
			t.Errorf("the hash %s is in range %s, want %d", hash, got, want)
		}
		used[c.rangeOf(k.EPK).ID] = true
	}
	if len(used) != 4 {
		t.Errorf("40 keys in %d of 4 ranges", len(used))
	}
}

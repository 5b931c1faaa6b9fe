package keychange

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

func TestMeeting(t *testing.T) {
	entry := func(container string, kinds ...lock.PropertyKind) lock.Entry {
		return lock.Entry{Container: container, Kinds: kinds}
	}
	tiers := func(container, own string) lock.Entry { return lock.Entry{Container: container, Own: own} }
	number := lock.PropertyKind{Property: "n", Kind: lock.Integer}
	truth := lock.PropertyKind{Property: "b", Kind: lock.Bool}
	for _, tt := range []struct {
		a, b lock.Entry
		id   string
	}{
		{entry("orders"), entry("orders"), ""},
		{entry("orders"), entry("Orders"), ""}, // two fixed ids
		{entry("orders-{t}"), entry("orders-{t}"), ""},
		{entry("orders-{t}"), entry("orders-archive"), "orders-archive"},
		{entry("orders-{t}"), entry("Orders-Archive"), "orders-archive"},
		{entry("orders-{t}"), entry("orders-"), ""},
		{entry("orders-{t}"), entry("orders.archive"), ""},
		{entry("orders-{t}"), entry("lines-{t}"), ""},
		{entry("orders-{t}"), entry("{t}"), "orders-0"},
		{entry("orders-{t}"), entry("orders-{u}"), "orders-0"},
		{entry("orders-{t}-x"), entry("orders-{t}-y"), ""},
		{entry("a-{at|2006}"), entry("a-{at|2006-01}"), ""},
		{entry("a-{at|2006-01}"), entry("a-{at|2006-02}"), ""}, // no layout, but digits all the same
		{entry("a-{at|2006-01}"), entry("a-{other|2006-01}"), "a-0000-00"},
		{entry("a-{at|2006-01}"), entry("a-archive"), ""},
		{entry("a-{at|2006-01}"), entry("a-2018-08"), "a-2018-08"},
		{entry("a-{at|2006-01}"), entry("a-2018-28"), ""},
		{entry("a-{at|2006-01}"), entry("a-{t}"), "a-0000-00"},
		{entry("{r}-{at|2006}"), entry("{r}-{s}"), "0-0000"},
		{entry("{r}-{s}"), entry("{r}-{s}-{u}"), ""}, // no hyphen is in a text
		{entry("x-{n}", number), entry("x-{at|2006}"), "x-0000"},
		{entry("x-{n}", number), entry("x-a"), ""},
		{entry("x-{n}", number), entry("x--7"), "x--7"},
		{entry("x-{n}-{at|2006}", number), entry("x-{t}-{at|2006-01}"), ""},
		{entry("x-{n}-{at|2006}", number), entry("x-_2d7-2018"), "x-_2d7-2018"},
		{entry("x-{b}", truth), entry("x-true"), "x-true"},
		{entry("x-{b}", truth), entry("x-tru"), ""},
		{tiers("a", "a-{t}"), entry("a-archive"), "a-archive"},
		{tiers("a", "a-{t}"), entry("b-{t}"), ""},
		{tiers("a", "a-{t}"), tiers("a", "a-{t}"), ""}, // types that share both
		{tiers("a", "x-{t}"), tiers("b", "x-{t}"), "x-0"},
		{tiers("a", "x-{t}"), entry("x-{t}"), "x-0"},
		{tiers("a-b", "a-{t}"), tiers("a-b", "a-{t}"), "a-b"},
	} {
		for _, pair := range [][2]lock.Entry{{tt.a, tt.b}, {tt.b, tt.a}} {
			places := placesOf(pair[:])
			if m, meet := meeting(places[0], places[1]); meet != (tt.id != "") || len(m.id) != len(tt.id) {
				t.Errorf("%s and %s: %q, %v, want %q", pair[0].Container, pair[1].Container, m.id, meet, tt.id)
			}
		}
	}
}

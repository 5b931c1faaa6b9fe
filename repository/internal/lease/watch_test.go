package lease

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// TestWatch looks at a lease every 20 seconds; the answer takes 5. The interval is a
// minute.
func TestWatch(t *testing.T) {
	start := time.Now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	w := NewWatch(time.Minute)
	for _, look := range []struct {
		asked   int
		owner   string
		tag     azcore.ETag
		expired bool
	}{
		{0, "a", "1", false},
		{20, "a", "1", false},
		{40, "a", "1", false},
		{60, "a", "1", false}, // it was written before 5, and 60 is not a minute later
		{80, "a", "1", true},
		{100, "a", "2", false}, // it lives after all
		{165, "a", "2", true},
		{180, "", "3", false}, // released: free, and not expired
		{300, "", "3", false},
		{320, "b", "4", false},
	} {
		// Its owner's clock is hours late.
		l := Lease{ID: "p..0", Owner: look.owner, ETag: look.tag, Time: at(-9999)}
		got := w.Look([]Lease{l}, at(look.asked), at(look.asked+5))
		if got[0].Expired != look.expired {
			t.Errorf("at %d s, expired is %t", look.asked, got[0].Expired)
		}
	}
	w.Look(nil, at(400), at(400))
	if got := w.Look([]Lease{{ID: "p..0", Owner: "b", ETag: "4"}}, at(500), at(500)); got[0].Expired {
		t.Error("a lease that was created again has expired")
	}
}

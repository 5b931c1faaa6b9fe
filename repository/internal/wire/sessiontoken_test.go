package wire

import (
	"maps"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

func TestMergeSessionTokens(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"1#5", "1#7", "1#7"},
		{"-1#5", "-1#5", "-1#5"},
		{"1#100#1=20#2=5", "1#98#1=22#2=4", "1#100#1=22#2=5"},
		{"1#100#1=20#2=5#3=30", "2#105#4=10#2=5#3=21", "2#105#4=10#2=5#3=30"}, // regions have changed
		{"2#90#1=20", "1#100#1=30#2=1", "2#100#1=30"},
	} {
		a, b := parseSessionToken(test.a), parseSessionToken(test.b)
		if got := a.merge(b).String(); got != test.want {
			t.Errorf("%s and %s give %s, want %s", test.a, test.b, got, test.want)
		}
		if got := b.merge(a).String(); got != test.want {
			t.Errorf("%s and %s give %s, want %s", test.b, test.a, got, test.want)
		}
		if a.String() != test.a || b.String() != test.b {
			t.Errorf("%s or %s was changed", test.a, test.b)
		}
	}
	for _, text := range []string{"5", "x#1", "1#x", "1#1#x", "1#1#1=x", "1#1#-1=2", "1##", "#", "1#99999999999999999999"} {
		other := parseSessionToken(text)
		if other.String() != text {
			t.Errorf("%q is written as %q", text, other)
		}
		vector := parseSessionToken("1#5")
		if got := vector.merge(other).String(); got != text {
			t.Errorf("%q after 1#5 gives %q", text, got)
		}
		if got := other.merge(vector).String(); got != "1#5" {
			t.Errorf("1#5 after %q gives %q", text, got)
		}
	}
}

func TestTokensOfPhysicalPartitions(t *testing.T) {
	tokens := parseSessionTokens("0:1#5, 1:1#7#2=3,,bad,:1#1,2:,3:1#2")
	if want := []string{"0", "1", "3"}; len(tokens) != len(want) {
		t.Fatalf("got %v", tokens)
	}
	maps.Copy(tokens, parseSessionTokens("4:1#9"))
	for _, test := range []struct {
		r    route.Range
		want string
	}{
		{route.Range{ID: "0"}, "0:1#5"},
		{route.Range{ID: "9"}, ""},
		{route.Range{ID: "5", Parents: []string{"0"}}, "5:1#5"},
		{route.Range{ID: "4", Parents: []string{"0"}}, "4:1#9"},
		{route.Range{ID: "6", Parents: []string{"0", "3"}}, "6:1#5"}, // merged, or split twice
		{route.Range{ID: "7", Parents: []string{"8"}}, ""},
	} {
		if got := tokens.header([]route.Range{test.r}); got != test.want {
			t.Errorf("%v: got %q, want %q", test.r, got, test.want)
		}
	}
	if got, want := tokens.header([]route.Range{{ID: "1"}, {ID: "9"}, {ID: "3"}}), "1:1#7#2=3,3:1#2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// The header of a response that has one range twice.
	if got := parseSessionTokens("0:1#5,0:1#3")["0"].String(); got != "1#5" {
		t.Errorf("got %q", got)
	}
}

func TestSessionKeepsTokensByContainer(t *testing.T) {
	var s Session
	old := &route.Map{RID: "old", Ranges: []route.Range{{ID: "0"}}}
	if s.note("c", "", old, sessionTokens{"0": {lsn: 9}}) {
		t.Error("the map is said to be out of date")
	}
	if got := s.token("c", old, old.Ranges); got != "0:0#9" {
		t.Errorf("got %q", got)
	}
	if got := s.token("d", old, old.Ranges); got != "" {
		t.Errorf("another container has the token %q", got)
	}
	made := &route.Map{RID: "new", Ranges: old.Ranges}
	if got := s.token("c", made, made.Ranges); got != "" {
		t.Errorf("the container that was created again has the token %q", got)
	}
	if !s.note("c", "new", old, sessionTokens{"0": {lsn: 1}}) {
		t.Error("a response of another container than that of the map goes unnoticed")
	}
	if got := s.token("c", made, made.Ranges); got != "0:0#1" {
		t.Errorf("got %q", got)
	}
	if got := s.token("c", nil, nil); got != "0:0#1" {
		t.Errorf("got %q", got)
	}
	if !s.note("c", "", made, sessionTokens{"7": {lsn: 1}}) || s.note("c", "", made, sessionTokens{"7": {lsn: 2}}) {
		t.Error("a physical partition that is not known has to be noticed once")
	}
}

// FuzzSessionTokens reads headers. What is read is written so that the same is
// read, and merging is idempotent.
func FuzzSessionTokens(f *testing.F) {
	for _, header := range []string{"0:-1#12", "0:1#100#1=20#2=5,1:1#3", "5", "0:5", "a:b:c", ",:#=", "0:1#1#4294967296=1", "0:+1#-0", "0:1#1#1=1#1=2"} {
		f.Add(header, "0:1#4")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		tokens := parseSessionTokens(first)
		for id, token := range tokens {
			again := parseSessionToken(token.String())
			if again.String() != token.String() {
				t.Errorf("%q is read as %q", token, again)
			}
			if twice := token.merge(token); twice.String() != token.String() && token.other == "" && len(token.regions) < 2 {
				t.Errorf("%q with itself is %q", token, twice)
			}
			for _, later := range parseSessionTokens(second) {
				merged := token.merge(later)
				if merged.other == "" && (merged.lsn < token.lsn || merged.version < later.version) {
					t.Errorf("%s: %q and %q give %q", id, token, later, merged)
				}
			}
		}
	})
}

// TestSessionCountsChangesOfReplicas has a failover, whose tokens have a higher version.
func TestSessionCountsChangesOfReplicas(t *testing.T) {
	var s Session
	for i, step := range []struct {
		token string
		want  int
	}{{"0:1#9", 0}, {"1:2#9", 0}, {"0:1#10", 0}, {"0:2#8", 1}, {"0:1#11", 1}, {"1:3#1,0:3#1", 3}, {"0:text", 3}} {
		s.note("c", "rid", nil, parseSessionTokens(step.token))
		if got := s.Changes(); got != step.want {
			t.Errorf("after token %d there are %d changes, want %d", i, got, step.want)
		}
	}
}

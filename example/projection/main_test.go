package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestMain is main where the program starts itself.
func TestMain(m *testing.M) {
	if os.Getenv(accountVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestRun kills worker processes and looks at the sums.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		`^400 journeys, 100 of them corrected; 4 of 7 workers were killed\.`,
		`Their handlers were called with \d+ changes\.`,
		`\n2018-08-09  1HGCM82633A004350   34 journeys    266\.1 km\n`,
		`\nAll 12 sums are right\.\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("nothing matches %s in\n%s", want, &out)
		}
	}
}

// TestInclude has a journey included in every order of its revisions, and twice.
func TestInclude(t *testing.T) {
	first, second := &Journey{ID: "a", Metres: 1000, Revision: 1}, &Journey{ID: "a", Metres: 900, Revision: 2}
	other := &Journey{ID: "b", Metres: 5, Revision: 1}
	for _, order := range [][]*Journey{
		{first, second, other}, {second, first, other}, {first, first, other, second, second, first}, {second, other, other},
	} {
		var sum DailySum
		for _, journey := range order {
			sum.include(journey)
		}
		if sum.Metres != 905 || len(sum.Journeys) != 2 {
			t.Errorf("got %+v", sum)
		}
	}
}

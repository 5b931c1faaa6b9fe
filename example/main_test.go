package main

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// TestRun runs the three examples on the emulator and looks at what their
// tables say of documents and requests.
func TestRun(t *testing.T) {
	t.Setenv("COSMOS_CONNECTION_STRING", "")
	t.Setenv("COSMOS_ENDPOINT", "")
	var out strings.Builder
	if err := run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`24 +1 +[0-9.]+ +\S+ +the device's year, logical partition abc-123-2018`,
		`3000 +356 +[0-9.]+ +\S+ +import of a day's events`,
		`12 +1 +[0-9.]+ +\S+ +the day of vehicle 1HGCM82633A004352`,
		`1 +1 +1\.0 +\S+ +point read of event e\d+`,
		`3000 +33 +[0-9.]+ +\S+ +the whole day`,
		`10 +5 +[0-9.]+ +\S+ +its ten fastest, in order`,
		`3000 +\d\d +[0-9.]+ +\S+ +the change feed to its end`,
		`819 +10 +[0-9.]+ +\S+ +its mean speed above 100 km/h`,
		`356 partition keys; the fullest is 2018-08-09\.191 with 26 documents`,
		`500 +500 +[0-9.]+ +\S+ +clicks stored`,
		`1 +5 +[0-9.]+ +\S+ +the same click, found without its suffix`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("nothing matches %s in\n%s", want, &out)
		}
	}
}

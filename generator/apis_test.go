package generator

import (
	"testing"
)

// TestAPIs compares the models, locks and diagnostics of types of other APIs than NoSQL
// with the golden files. What is rendered of them needs the modules of these APIs, which
// the tests of package templates have.
func TestAPIs(t *testing.T) {
	cases := readCases(t, "apis")
	dir := module(t, cases)
	for i, r := range generateAll(t, dir, cases) {
		t.Run(cases[i].Name, func(t *testing.T) {
			cases[i].compare(t, dir, r)
			if err := r.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

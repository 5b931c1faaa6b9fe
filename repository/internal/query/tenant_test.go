package query

import (
	"errors"
	"testing"
)

// TestEnclosed checks which conditions stay in their parentheses.
func TestEnclosed(t *testing.T) {
	for condition, want := range map[string]error{
		"c.x = 1 OR (c.y = 2)":           nil,
		`c.x = ") OR (" AND c.y = ')'`:   nil,
		`c.x = "\") OR (\""`:             nil,
		`c["--"] = 1`:                    nil,
		"c.x - -1 = 0":                   nil,
		"true) OR (true":                 errUnbalanced,
		"(true)) OR ((true)":             errUnbalanced,
		"(true":                          errUnbalanced,
		")(":                             errUnbalanced,
		`c.x = "\\") OR (c.y = ""`:       errUnbalanced,
		`c.x = "a") OR (true`:            errUnbalanced,
		"true --":                        errComment,
		"true -- ) OR (\n":               errComment,
		"/* ( */ true) OR (true /* ) */": errComment,
		`c.x = "a`:                       errUnterminated,
		`c.x = "a\"`:                     errUnterminated,
		"c.x = '" + `\`:                  errUnterminated,
		`c.x = "it's") OR (c.y = "it's"`: errUnbalanced,
		`EXISTS(SELECT VALUE x FROM x IN c.list WHERE x = ")")`: nil,
	} {
		if got := enclosed(condition); !errors.Is(got, want) {
			t.Errorf("%q: %v, want %v", condition, got, want)
		}
	}
}

package doctor

import (
	"fmt"
	"strings"
)

// State is the result of a check.
type State string

// The states.
const (
	OK      State = "ok"
	Note    State = "note"    // worth knowing
	Wrong   State = "wrong"   // something does not work, or will not
	Unknown State = "unknown" // it could not be checked
)

// Check is one thing that was looked at.
type Check struct {
	State State  `json:"state"`
	What  string `json:"check"`
	Found string `json:"found"`
	// WayOut is what to do; "" if nothing is to be done.
	WayOut string `json:"wayOut,omitempty"`
}

// Report is what pkgen-data doctor has found. It holds no keys, tokens or documents, and not
// the name of the account.
type Report struct {
	Checks       []Check `json:"checks"`
	RequestUnits float64 `json:"requestUnits"`
	// Examined is how many containers were compared with what the code wants, or templates
	// that have none yet. A report of none says nothing about an account's containers.
	Examined int `json:"examined"`

	secrets []secret
}

// secret is a text that a report must not show, and its replacement.
type secret struct{ text, shown string }

// hide replaces a text in the report.
func (r *Report) hide(text, shown string) {
	if text != "" {
		r.secrets = append(r.secrets, secret{text, shown})
	}
}

// plain returns a text without secrets.
func (r *Report) plain(text string) string {
	for _, s := range r.secrets {
		text = strings.ReplaceAll(text, s.text, s.shown)
	}
	return text
}

// Wrong returns the number of checks with the state Wrong.
func (r *Report) Wrong() int {
	n := 0
	for _, c := range r.Checks {
		if c.State == Wrong {
			n++
		}
	}
	return n
}

// add adds a check. Found is a format.
func (r *Report) add(state State, what, wayOut, found string, args ...any) {
	r.Checks = append(r.Checks, Check{state, r.plain(what), r.plain(fmt.Sprintf(found, args...)), r.plain(wayOut)})
}

// Add adds a check made elsewhere.
func (r *Report) Add(c Check) { r.add(c.State, c.What, c.WayOut, "%s", c.Found) }

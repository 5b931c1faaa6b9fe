package marks

import (
	"strings"
	"testing"
)

// Tokens as the two moves make them.
var (
	short = strings.Repeat("T", RekeyToken)
	long  = strings.Repeat("T", MigrationToken)
)

// TestStates has everything that is stored, as both moves write it.
func TestStates(t *testing.T) {
	type answers struct{ hidden, crosses, leaving, uncertain bool }
	for _, tt := range []struct {
		value string
		want  answers
	}{
		{``, answers{}},
		{`{"state":"moved","token":"` + short + `"}`, answers{hidden: true}},
		{`{"state":"moved","token":"` + short + `","at":12}`, answers{hidden: true}},
		{`{"state":"removed","token":"` + short + `"}`, answers{hidden: true}},
		{`{"state":"copy","token":"` + short + `","from":"\"etag\""}`, answers{hidden: true, uncertain: true}},
		{`{"state":"final","token":"` + short + `","from":"\"etag\"","at":12}`, answers{}},
		{`{"state":"final","at":12}`, answers{}},
		{`{"state":"gone"}`, answers{hidden: true}},
		{`{"state":"draft","token":"` + long + `"}`, answers{hidden: true, crosses: true}},
		{`{"state":"moved","token":"` + long + `"}`, answers{crosses: true, leaving: true}},
		{`{"state":"copy","token":"` + long + `"}`, answers{hidden: true, crosses: true}},
		{`{"state":"of a later release"}`, answers{hidden: true}},
	} {
		m, err := Parse([]byte(tt.value))
		if got := (answers{m.Hidden(), m.Crosses(), m.Leaving(), m.Uncertain()}); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", tt.value, got, err, tt.want)
		}
	}
}

func TestParseBroken(t *testing.T) {
	for _, value := range []string{`5`, `"moved"`, `{"state":5}`} {
		if m, err := Parse([]byte(value)); err == nil || m != (Mark{}) || !strings.Contains(err.Error(), Property) {
			t.Errorf("%s: %+v, %v", value, m, err)
		}
	}
}

package model

import "testing"

func TestWithoutCosmos(t *testing.T) {
	for tag, want := range map[string]string{
		"":                                 "",
		`json:"id" cosmos:"id,pk"`:         `json:"id"`,
		`cosmos:"synthetic=ByA" json:"a"`:  `json:"a"`,
		`json:"a" cosmos:"pk"  bson:"b,c"`: `json:"a" bson:"b,c"`,
		`json:"a\"b" cosmos:"key={A}"`:     `json:"a\"b"`,
		`cosmos:"id"`:                      "",
		`json:"a" broken`:                  `json:"a"`,
	} {
		if got := withoutCosmos(tag); got != want {
			t.Errorf("%s: %s, want %s", tag, got, want)
		}
	}
}

// Package jsontypes holds structs whose JSON names are hard to tell. A test reads
// them twice: by encoding/json as they run, and as source. Tools would find fault
// with most of them.
package jsontypes

// Values returns a value of each type, without fields that encoding/json leaves
// out, by the type's name.
func Values() map[string]any {
	return map[string]any{
		"jsonPlain":     jsonPlain{F: "x", H: "x", hidden: "x"},
		"jsonDeep":      jsonDeep{},
		"jsonEmbedding": jsonEmbedding{jsonPlain: &jsonPlain{F: "x", H: "x"}},
		"jsonNamed":     jsonNamed{},
		"jsonConflict":  jsonConflict{},
		"jsonTwice":     jsonTwice{},
		"jsonSelf":      jsonSelf{},
	}
}

type jsonPlain struct {
	A, B   string
	C      int `json:"c"`
	hidden string
	D      string `json:"-"`
	E      string `json:"-,"`
	F      string `json:",omitempty"`
	G      string `json:"bad\"name"`
	H      string `json:"päth,omitzero"`
}

type jsonDeep struct {
	X, Y string
	jsonDeepest
}

type jsonDeepest struct {
	X, Z string
	W    string `json:"w"`
}

type jsonText string

type JSONName string

type jsonEmbedding struct {
	jsonDeep
	*jsonPlain
	jsonText
	JSONName
	Y string
	W string `json:"w"`
}

type jsonNamed struct {
	jsonDeep `json:"deep"`
	A        string
}

type jsonLeft struct {
	Both string `json:"both"`
	Same string
	Won  string `json:"Won"`
}

type jsonRight struct {
	Both string `json:"both"`
	Same string
	Won  string
}

type jsonConflict struct {
	jsonLeft
	jsonRight
	Own string
}

type jsonTwiceA struct{ jsonDeepest }

type jsonTwiceB struct{ jsonDeepest }

type jsonTwice struct {
	jsonTwiceA
	jsonTwiceB
	Z string
}

type jsonSelf struct {
	*jsonSelf
	Name string
}

package main

import (
	_ "embed"
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/emulator/interop/keys/document"
)

// samplesText is read by the programs in other languages too.
//
//go:embed samples.json
var samplesText []byte

// samples are documents without partition keys. The id of a document that is
// stored is the name of its writer, "-", and the id here.
type samples struct {
	Measurements []*document.Measurement `json:"measurements"`
	Visits       []*document.Visit       `json:"visits"`
}

// samplesOf returns the samples with the ids that a writer gives them.
func samplesOf(writer string) (samples, error) {
	var s samples
	if err := json.Unmarshal(samplesText, &s); err != nil {
		return samples{}, err
	}
	for _, m := range s.Measurements {
		m.ID = writer + "-" + m.ID
	}
	for _, v := range s.Visits {
		v.ID = writer + "-" + v.ID
	}
	return s, nil
}

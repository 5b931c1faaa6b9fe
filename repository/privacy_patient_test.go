package repository_test

import (
	"errors"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// The secrets of a patient. Those of the id and the key may be in the text of an
// *Error, and nowhere else; the others may be nowhere.
const (
	secretID     = "id7731secret"
	secretWard   = "ward7732secret"
	secretText   = "text7733secret"
	secretNumber = "87654321"
)

type patient struct {
	ID    string            `json:"id"`
	Ward  string            `json:"ward"`
	Name  string            `json:"name"`
	IBAN  iban              `json:"iban"`
	Born  time.Time         `json:"born"`
	Seen  repository.Time   `json:"seen"`
	Dose  int32             `json:"dose"`
	Notes map[string]string `json:"notes"`
	ETag  string            `json:"_etag,omitempty"`
}

// iban tells what it refuses, as types of programs do.
type iban string

func (i iban) MarshalText() ([]byte, error) {
	if strings.HasPrefix(string(i), "bad") {
		return nil, errors.New("iban " + string(i) + " is bad")
	}
	return []byte(i), nil
}

func (i *iban) UnmarshalText(text []byte) error {
	if strings.HasPrefix(string(text), "bad") {
		return errors.New("iban " + string(text) + " is bad")
	}
	*i = iban(text)
	return nil
}

type patientKey struct{ ID, Ward string }

func (k patientKey) Validate() error {
	return partition.Check("patient", partition.ID(k.ID), partition.Text("Ward", k.Ward), partition.Key(k.Ward))
}

var patientModel = generated.Model[patient, patientKey]{
	Type: "patient", Path: "/ward",
	Key:  func(p *patient) patientKey { return patientKey{p.ID, p.Ward} },
	ID:   func(k patientKey) string { return k.ID },
	Text: func(k patientKey) string { return k.Ward },
	ETag: func(p *patient) *string { return &p.ETag },
}

var (
	patientContainer = harness.Properties("patients", "/ward")
	thePatient       = patientKey{secretID, secretWard}
	patientName      = repository.String[patient, string]("/name")
	patientIBAN      = repository.String[patient, iban]("/iban")
	patientDose      = repository.Number[patient, int32]("/dose")
)

func newPatient() *patient {
	return &patient{ID: secretID, Ward: secretWard, Name: secretText, IBAN: secretText, Dose: 87654321, Notes: map[string]string{secretText: secretText}}
}

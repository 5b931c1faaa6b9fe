package requests

import (
	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
)

// The secrets of a patient. Those of the id and the key may be in the text of an
// *Error, and nowhere else; the others may be nowhere.
const (
	secretID     = "id7731secret"
	secretWard   = "ward7732secret"
	secretText   = "text7733secret"
	secretNumber = "87654321"
)

var (
	thePatient  = fixtures.PatientKey{ID: secretID, Ward: secretWard}
	patientName = documents.String[fixtures.Patient, string]("/name")
	patientIBAN = documents.String[fixtures.Patient, fixtures.IBAN]("/iban")
	patientDose = documents.Number[fixtures.Patient, int32]("/dose")
)

func newPatient() *fixtures.Patient {
	return &fixtures.Patient{ID: secretID, Ward: secretWard, Name: secretText, IBAN: secretText, Dose: 87654321, Notes: map[string]string{secretText: secretText}}
}

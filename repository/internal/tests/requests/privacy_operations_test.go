package requests

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// privately are operations on the patient. Those that succeed say nothing.
var privately = map[string]func(context.Context, *repository.Documents[fixtures.Patient, fixtures.PatientKey]) error{
	"get":     func(ctx context.Context, d patients) error { _, err := d.Get(ctx, thePatient); return err },
	"create":  func(ctx context.Context, d patients) error { return d.Create(ctx, newPatient()) },
	"upsert":  func(ctx context.Context, d patients) error { return d.Upsert(ctx, newPatient()) },
	"replace": func(ctx context.Context, d patients) error { return d.Replace(ctx, newPatient()) },
	"delete":  func(ctx context.Context, d patients) error { return d.Delete(ctx, thePatient) },
	"create what does not marshal": func(ctx context.Context, d patients) error {
		p := newPatient()
		p.IBAN = "bad " + secretText
		return d.Create(ctx, p)
	},
	"patch": func(ctx context.Context, d patients) error {
		return d.Patch(ctx, thePatient, repository.PatchValue[fixtures.Patient, string]("/name").Set(secretText))
	},
	"patch what does not marshal": func(ctx context.Context, d patients) error {
		return d.Patch(ctx, thePatient, repository.PatchValue[fixtures.Patient, fixtures.IBAN]("/iban").Set("bad "+secretText))
	},
	"patch if": func(ctx context.Context, d patients) error {
		return d.PatchIf(ctx, thePatient, patientName.Eq(secretText+"!"), repository.PatchNumber[fixtures.Patient, int32]("/dose").Increment(87654321))
	},
	"update": func(ctx context.Context, d patients) error {
		return d.Update(ctx, thePatient, func(p *fixtures.Patient) error { p.Name += "!"; return nil })
	},
	"move": func(ctx context.Context, d patients) error {
		p := newPatient()
		p.Ward = "other" + secretWard
		return d.Move(ctx, thePatient, p)
	},
	"query": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(patientName.Ne("")).Collect(ctx)
		return err
	},
	"query of what does not marshal": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(patientIBAN.Eq("bad " + secretText)).Collect(ctx)
		return err
	},
	"query of a large number": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(documents.Number[fixtures.Patient, int64]("/dose").Gt(8765432187654321000)).Count(ctx)
		return err
	},
	"query of bytes": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(patientName.StartsWith(secretText + "\xff")).Count(ctx)
		return err
	},
	"page": func(ctx context.Context, d patients) error {
		_, err := d.Scan().OrderBy(patientName.Asc()).Page(ctx, "", 1)
		return err
	},
	"cursor": func(ctx context.Context, d patients) error { _, err := d.Scan().Page(ctx, secretText, 1); return err },
	"values": func(ctx context.Context, d patients) error {
		_, err := repository.Values(d.Scan(), patientIBAN).Collect(ctx)
		return err
	},
	"max": func(ctx context.Context, d patients) error {
		_, _, err := repository.Max(ctx, d.Scan(), patientIBAN)
		return err
	},
	"sum": func(ctx context.Context, d patients) error {
		_, err := repository.Sum(ctx, d.Scan(), patientDose)
		return err
	},
	"select": func(ctx context.Context, d patients) error {
		_, err := repository.Select[struct {
			IBAN fixtures.IBAN `json:"iban"`
			Born time.Time     `json:"born"`
		}](d.Scan()).Collect(ctx)
		return err
	},
	"get many": func(ctx context.Context, d patients) error {
		_, err := d.GetMany(ctx, []fixtures.PatientKey{thePatient, {ID: secretID, Ward: "x"}})
		return err
	},
	"find": func(ctx context.Context, d patients) error {
		_, err := repository.FindInBuckets(ctx, d, secretID, generated.Partition(secretWard))
		return err
	},
	"transaction": func(ctx context.Context, d patients) error {
		return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Create(newPatient()) },
			func(tx *repository.Transaction) error { _, err := d.In(tx).Get(thePatient); return err })
	},
	"bulk": func(ctx context.Context, d patients) error {
		_, err := d.CreateAll(documents.Sequence(func(yield func(*fixtures.Patient) bool) { yield(newPatient()) })).Collect(ctx)
		return err
	},
	"changes": func(ctx context.Context, d patients) error {
		for _, err := range feed.Changes(ctx, d, feed.FromBeginning(), feed.UntilCaughtUp()) {
			if err != nil {
				return err
			}
		}
		return nil
	},
	"changes of a cursor": func(ctx context.Context, d patients) error {
		for _, err := range feed.Changes(ctx, d, feed.FromCursor(secretText)) {
			return err
		}
		return nil
	},
}

type patients = *repository.Documents[fixtures.Patient, fixtures.PatientKey]

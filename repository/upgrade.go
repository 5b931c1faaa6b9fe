package repository

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/internal/renewal"
)

// UpgradeSummary is what [Documents.Upgrade] has done, and what is left to do.
type UpgradeSummary struct {
	// Found is how many documents of earlier releases there were when it began.
	Found int

	// Upgraded is how many documents it has stored in their present form. Others that it
	// has found were written or deleted by somebody else meanwhile.
	Upgraded int

	// Failed is how many documents could not be stored, and Err the first error about one
	// of them, such as that of a method Upgrade. They are as they were.
	Failed int
	Err    error

	// Left is how many documents of earlier releases the last pass found: 0, unless
	// documents failed, or programs of an earlier release still store some. After a dry
	// run, it is all of them.
	Left int

	// RequestUnits is the sum of the charges.
	RequestUnits float64
}

// Done reports whether no document of an earlier release is left. A property's alias= may
// then leave its tag, once no program of the release before runs.
func (s UpgradeSummary) Done() bool { return s.Left == 0 }

// UpgradeOption changes how [Documents.Upgrade] works.
type UpgradeOption func(*upgradeSettings)

type upgradeSettings struct {
	renewal.Settings
	wrong error
}

// UpgradeBudget limits [Documents.Upgrade] to an average of perSecond request units a
// second in this process. It counts the charges of all requests for documents, also those
// of pages that it reads. A budget below [MinRekeyBudget] is an error.
func UpgradeBudget(perSecond float64) UpgradeOption {
	return func(s *upgradeSettings) {
		s.Bulk.PerSecond, s.wrong = perSecond, errors.Join(s.wrong, checkBudget(perSecond))
	}
}

// UpgradeConcurrency limits [Documents.Upgrade] to n documents at once, in place of the
// limit of [WithConcurrency].
func UpgradeConcurrency(n int) UpgradeOption {
	return func(s *upgradeSettings) { s.Bulk.Concurrency = max(n, 1) }
}

// UpgradeDryRun has [Documents.Upgrade] store nothing. It reads each document of an earlier
// release once and calls its method Upgrade, so that the summary says how many there are,
// and how many of them would fail.
func UpgradeDryRun() UpgradeOption {
	return func(s *upgradeSettings) { s.DryRun = true }
}

// OnUpgradeProgress has a function called about once a second, and at the end, with what
// [Documents.Upgrade] has done so far. Calls do not overlap.
func OnUpgradeProgress(f func(UpgradeSummary)) UpgradeOption {
	return func(s *upgradeSettings) {
		if s.Progress = nil; f != nil {
			s.Progress = func(done renewal.Summary) { f(upgradeSummaryOf(done)) }
		}
	}
}

// Upgrade stores the documents that earlier releases have stored, as reads return them now:
// those whose number in the field tagged schema is lower than that of the tag, or that lack
// it, and those that have a property under an alias. Run it when every program that
// runs has this release, at least; programs may read and write meanwhile. Several processes
// may run it at once, which costs more and is not faster. It may end and begin again at any
// point: what it has stored is not found again.
//
// Each document is stored on the condition that it is unchanged; if somebody writes it in
// between, Upgrade looks at it again. What it stores is what a read returns, so properties
// that the type does not know are lost unless it has a field tagged rest. Stamps stay as
// they are: created, updated and version are those of the last change that a program made.
// The ETag and _ts change, the change feed gives the document once more, and its time to
// live is reduced by its age, as its property ttl, which a later patch begins anew.
// Documents that are marked as deleted are stored like others, since they may be restored:
// they stay marked, and go when they would have gone. Documents
// that are hidden for another reason are left out.
//
// Upgrade counts the documents of earlier releases, and reads them by a query to each
// physical partition, until a pass finds none. Each document costs about 1 request unit for
// 1 KB in the query and a replace, about 5 request units for 1 KB, and a point read if it
// expires. A document that cannot be stored is counted in [UpgradeSummary.Failed]. The error
// is that of a pass which ended early, or of a type that has neither schema= with a number
// above 1 nor alias= on a property: nothing is sent then.
func (d *Documents[T, K]) Upgrade(ctx context.Context, opts ...UpgradeOption) (UpgradeSummary, error) {
	settings := upgradeSettings{Settings: renewal.Settings{Bulk: api.Bulk{Concurrency: d.untyped.Store.Settings.Concurrency}}}
	for _, o := range opts {
		if o == nil {
			settings.wrong = errors.New("an UpgradeOption is nil")
			continue
		}
		o(&settings)
	}
	if settings.wrong != nil {
		return UpgradeSummary{}, &Error{Op: renewal.Op, Type: d.untyped.Store.Type, Err: settings.wrong}
	}
	done, err := d.untyped.Renew(ctx, settings.Settings)
	return upgradeSummaryOf(done), err
}

// upgradeSummaryOf returns a summary as callers get it.
func upgradeSummaryOf(s renewal.Summary) UpgradeSummary {
	return UpgradeSummary(s)
}

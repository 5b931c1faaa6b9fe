// Package dropped asks for what it never has done.
package dropped

import (
	"context"
	"iter"
	"slices"

	"example.com/m/fleet"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func statements(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event, keys []fleet.EventKey) {
	events.CreateEach(ctx, slices.Values(docs))              // want `CreateEach writes only in a loop over its result, and there is none: call CreateAll`
	_ = events.UpsertEach(ctx, slices.Values(docs))          // want `call UpsertAll`
	go events.DeleteEach(ctx, slices.Values(keys))           // want `call DeleteAll`
	defer events.DeleteEachOf(ctx, events.Scan())            // want `call DeleteAllOf`
	events.Scan().All(ctx)                                   // want `All reads only in a loop over its result, and there is none`
	(events.Changes(ctx, repository.FromBeginning()))        // want `Changes reads only in a loop`
	var _ = events.CreateEach(ctx, slices.Values(docs))      // want `call CreateAll`
	_, _ = events.UpsertEach(ctx, nil), events.Scan()        // want `call UpsertAll`
	func() { events.CreateEach(ctx, slices.Values(docs)) }() // want `call CreateAll`
}

func variables(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event) {
	outcomes := events.CreateEach(ctx, slices.Values(docs)) // want `call CreateAll`
	_ = outcomes
	var others = events.UpsertEach(ctx, slices.Values(docs)) // want `call UpsertAll`
	_ = others
}

func transactions(accounts *fleet.AccountRepository, account *fleet.Account) error {
	tx := repository.NewTransaction() // want `this transaction is not committed, so that none of its operations takes effect: call its Commit`
	if err := accounts.In(tx).Create(account); err != nil {
		return err
	}
	if account.Name == "" {
		return accounts.In(tx).Upsert(account)
	}
	return accounts.In(repository.NewTransaction()).Replace(account) // want `this transaction is not committed`
}

// The rest is as it should be, or not certain.

func ranged(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event) (err error) {
	outcomes := events.CreateEach(ctx, slices.Values(docs))
	for o := range outcomes {
		err = o.Err
	}
	seq := events.CreateEach(ctx, slices.Values(docs))
	seq = events.UpsertEach(ctx, slices.Values(docs))
	for o := range seq {
		err = o.Err
	}
	events.UpsertEach(ctx, slices.Values(docs))(func(o repository.Outcome[*fleet.Event]) bool { return o.Err == nil })
	slices.Collect(events.UpsertEach(ctx, slices.Values(docs)))
	if _, err := events.UpsertAllFrom(ctx, events.Scan().All(ctx)); err != nil {
		return err
	}
	events.CreateAll(ctx, slices.Values(docs)) // for errcheck
	return err
}

func returned(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event) iter.Seq[repository.Outcome[*fleet.Event]] {
	all := events.CreateEach(ctx, slices.Values(docs))
	return all
}

type batch struct{ tx *repository.Transaction }

func committed(ctx context.Context, accounts *fleet.AccountRepository, account *fleet.Account) (*repository.Transaction, error) {
	tx := repository.NewTransaction()
	defer func() { _ = tx.Commit(ctx) }()
	err := accounts.In(tx).Create(account)
	kept := repository.NewTransaction()
	b := batch{tx: kept}
	err = accounts.In(b.tx).Create(account)
	err = accounts.In(kept).Create(account)
	given := repository.NewTransaction()
	err = accounts.In(given).Create(account)
	counted := repository.NewTransaction()
	err = accounts.In(counted).Create(account)
	_ = counted.Len()
	empty := repository.NewTransaction()
	_ = empty
	return given, err
}

func parameter(accounts *fleet.AccountRepository, tx *repository.Transaction, account *fleet.Account) error {
	return accounts.In(tx).Create(account)
}

// Package dropped asks for what it never has done.
package dropped

import (
	"context"
	"slices"

	"example.com/m/fleet"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

func statements(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event, keys []fleet.EventKey) {
	events.CreateAll(documents.Items(docs...))                  // want `CreateAll sends nothing by itself: call Collect or All on its result`
	_ = events.UpsertAll(documents.Items(docs...))              // want `UpsertAll sends nothing`
	go events.DeleteAll(documents.Items(keys...))               // want `DeleteAll sends nothing`
	defer events.DeleteFound(events.Scan())                     // want `DeleteFound sends nothing`
	events.CreateAll(documents.Items(docs...)).All(ctx)         // want `All does nothing without a loop over its result: range over it`
	events.Scan().All(ctx)                                      // want `All does nothing without a loop over its result: range over it`
	(feed.Changes(ctx, events.Documents, feed.FromBeginning())) // want `Changes does nothing without a loop over its result: range over it`
	var _ = events.CreateAll(documents.Items(docs...))          // want `CreateAll sends nothing`
	_, _ = events.UpsertAll(nil), events.Scan()                 // want `UpsertAll sends nothing`
	func() { events.CreateAll(documents.Items(docs...)) }()     // want `CreateAll sends nothing`
}

func variables(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event) {
	bulk := events.CreateAll(documents.Items(docs...)) // want `CreateAll sends nothing`
	_ = bulk
	var others = events.UpsertAll(documents.Items(docs...)) // want `UpsertAll sends nothing`
	_ = others
}

func transactions(accounts *fleet.AccountRepository, account *fleet.Account) error {
	tx := repository.NewTransaction() // want `this transaction is not committed, so none of its operations takes effect: call Commit`
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
	bulk := events.CreateAll(documents.Items(docs...))
	for o := range bulk.All(ctx) {
		err = o.Err
	}
	seq := events.CreateAll(documents.Items(docs...)).All(ctx)
	seq = events.UpsertAll(documents.Items(docs...)).All(ctx)
	for o := range seq {
		err = o.Err
	}
	events.UpsertAll(documents.Items(docs...)).All(ctx)(func(o documents.Outcome[*fleet.Event]) bool { return o.Err == nil })
	slices.Collect(events.UpsertAll(documents.Items(docs...)).All(ctx))
	if _, err := events.UpsertAll(events.Scan().All(ctx)).Collect(ctx); err != nil {
		return err
	}
	events.CreateAll(documents.Items(docs...)).Collect(ctx) // for errcheck
	return err
}

func returned(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event) documents.Bulk[*fleet.Event] {
	all := events.CreateAll(documents.Items(docs...))
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

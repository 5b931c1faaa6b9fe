// Package use reads documents and stores them again.
package use

import (
	"context"
	"errors"
	"slices"

	"example.com/m/fleet"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func replace(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	e.Speed = 3
	e.At = e.At.Add(1) // may be the same day
	e.VIN = "x"        // want `assigning to e.VIN changes the key of the Event that was read, and Replace looks for the document under the new key: call Move`
	if e.Speed > 2 {
		e.Meta.Region = "eu" // want `assigning to e.Meta.Region changes the key`
	}
	e.Base.ID += "-2" // want `assigning to e.Base.ID changes the key`
	return events.Replace(ctx, e)
}

func upsert(ctx context.Context, events *fleet.EventRepository, q repository.Query[fleet.Event]) error {
	for e, err := range q.All(ctx) {
		if err != nil {
			return err
		}
		e.ID = "x" // want `and Upsert refuses, or stores a second document and leaves the first: call Move`
		if err := events.Upsert(ctx, e); err != nil {
			return err
		}
	}
	docs, err := q.Collect(ctx)
	if err != nil {
		return err
	}
	for _, e := range docs {
		e.VIN = "y" // want `assigning to e.VIN`
		err = errors.Join(err, events.Replace(ctx, e))
	}
	return err
}

func transaction(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	tx := repository.NewTransaction()
	var account, err = accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	account.Owner = "x" // want `changes the key of the Account that was read`
	if err := accounts.In(tx).Replace(account); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func update(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	return events.Update(ctx, key, func(e *fleet.Event) error {
		e.Speed++
		if e.VIN == "" {
			e.VIN = "z" // want `and Update refuses that: call Move`
		}
		return nil
	})
}

func andGet(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey, change repository.PatchOperation[fleet.Account]) error {
	account, err := accounts.UpdateAndGet(ctx, key, func(a *fleet.Account) error {
		a.ID = "x" // want `assigning to a.ID`
		return nil
	})
	if err != nil {
		return err
	}
	account.Owner = "x" // want `assigning to account.Owner`
	if err := accounts.Replace(ctx, account); err != nil {
		return err
	}
	patched, err := accounts.PatchAndGet(ctx, key, change)
	if err != nil {
		return err
	}
	patched.Owner = "x" // want `assigning to patched.Owner`
	return accounts.Upsert(ctx, patched)
}

var task = func(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	return accounts.Update(ctx, key, func(a *fleet.Account) error {
		a.ID = "x" // want `assigning to a.ID`
		return nil
	})
}

// The rest is as it should be, or not certain.

func given(ctx context.Context, accounts *fleet.AccountRepository, owner string, with fleet.Account) error {
	a, err := accounts.Get(ctx, fleet.AccountKey{ID: with.ID, Owner: owner})
	if err != nil {
		return err
	}
	a.ID, a.Owner, a.Name = with.ID, owner, with.Name
	err = accounts.Replace(ctx, a)
	for a, e := range accounts.ByOwner(with.Owner).All(ctx) {
		a.Owner = with.Owner
		err = errors.Join(err, e, accounts.Replace(ctx, a))
	}
	return err
}

func restored(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey, with fleet.Event) error {
	return events.Update(ctx, key, func(e *fleet.Event) error {
		e.VIN = key.VIN
		e.ID = e.Base.ID
		*e = with
		e.ID = "x"
		return nil
	})
}

func move(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey, vin string) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	moved := e.VIN != vin
	if moved {
		e.VIN = vin
	}
	if moved {
		return events.Move(ctx, key, e)
	}
	return events.Replace(ctx, e)
}

func getOrCreate(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if errors.Is(err, repository.ErrNotFound) {
		e = &fleet.Event{}
	} else if err != nil {
		return err
	}
	e.VIN = "x"
	return events.Upsert(ctx, e)
}

func clone(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	second := *e
	second.ID = "x"
	if err := events.Upsert(ctx, &second); err != nil {
		return err
	}
	e.ID = "y"
	if err := events.Create(ctx, e); err != nil {
		return err
	}
	return events.Replace(ctx, e)
}

func otherway(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	if e.Speed > 1 {
		e.VIN = "x"
		panic(e)
	}
	done := func() { e = nil }
	e.VIN = "y"
	done()
	return events.Replace(ctx, e)
}

func fresh(ctx context.Context, events *fleet.EventRepository) error {
	e := &fleet.Event{}
	e.VIN = "x"
	return events.Replace(ctx, e)
}

func fromSlice(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event) (err error) {
	for e := range slices.Values(docs) {
		e.VIN = "x"
		err = errors.Join(err, events.Upsert(ctx, e))
	}
	return err
}

// tenants change the fields that name the container.
func tenants(ctx context.Context, orders *fleet.OrderRepository, key fleet.OrderKey) error {
	order, err := orders.Get(ctx, key)
	if err != nil {
		return err
	}
	order.Tenant = "x" // want `assigning to order.Tenant changes the key of the Order that was read`
	return orders.Replace(ctx, order)
}

func unique(ctx context.Context, users *fleet.UserRepository, guests *fleet.GuestRepository, user fleet.UserKey, guest fleet.GuestKey) error {
	err := users.Update(ctx, user, func(u *fleet.User) error {
		u.Region = "us" // want `and Update refuses that: before Create, call Delete with the key that it was read under`
		return nil
	})
	if err != nil {
		return err
	}
	g, err := guests.Get(ctx, guest)
	if err != nil {
		return err
	}
	g.Region = "us" // want `looks for the document under the new key: before Create, call Delete and Purge with the key that it was read under`
	return guests.Replace(ctx, g)
}

// proven assigns what a condition has shown to be there already.
func proven(ctx context.Context, users *fleet.UserRepository, events *fleet.EventRepository, key fleet.UserKey, event fleet.EventKey, region string, with fleet.Event, docs []*fleet.Event) error {
	err := users.Update(ctx, key, func(u *fleet.User) error {
		if u.Region != region {
			return nil
		}
		u.Region = region
		return nil
	})
	e, other := events.Get(ctx, event)
	if err = errors.Join(err, other); err != nil {
		return err
	}
	if e.Speed > 1 && (with.Base.ID == e.ID) && !(e.VIN != "x") {
		e.ID, e.VIN = with.ID, "x"
	}
	switch {
	case e.Meta.Region == fleet.Home:
		e.Meta.Region = "eu"
	case fleet.Region(e.Meta.Region) != fleet.Region(region):
		return nil
	default:
		e.Meta.Region = region
	}
	for ; e.VIN == with.VIN; e.Speed++ {
		e.VIN = with.VIN
	}
	for i := range docs {
		if docs, err = events.Scan().Collect(ctx); err != nil || docs[i].VIN != with.VIN {
			continue
		}
		docs[i].VIN = with.VIN
		err = errors.Join(err, events.Replace(ctx, docs[i]))
	}
	return errors.Join(err, events.Replace(ctx, e))
}

// disproven assigns what may differ all the same.
func disproven(ctx context.Context, events *fleet.EventRepository, event fleet.EventKey, region, vin string, with fleet.Event) error {
	e, err := events.Get(ctx, event)
	if err != nil {
		return err
	}
	if e.VIN == vin {
		vin = region
		e.VIN = vin // want `assigning to e.VIN changes the key`
	}
	if e.Meta.Region != region || e.Speed > 1 {
		e.Meta.Region = region // want `assigning to e.Meta.Region changes the key`
	}
	if e.ID == with.ID {
		with = fleet.Event{}
		e.ID = with.ID // want `assigning to e.ID changes the key`
	}
	if err := events.Replace(ctx, e); err != nil {
		return err
	}
	return events.Update(ctx, event, func(e *fleet.Event) error {
		e.VIN = "x" // want `assigning to e.VIN changes the key`
		if e.VIN != vin {
			return nil
		}
		e.VIN = vin
		if e.ID != region {
			e.Speed++
		}
		e.ID = region // want `assigning to e.ID changes the key`
		if e.Meta.Region == region {
			region := ""
			e.Meta.Region = region // want `assigning to e.Meta.Region changes the key`
		}
		return nil
	})
}

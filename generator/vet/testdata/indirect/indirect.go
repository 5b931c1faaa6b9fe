// Package indirect changes documents in slices, by other names and in functions
// that have one.
package indirect

import (
	"context"
	"errors"
	"fmt"

	"example.com/m/fleet"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func slice(ctx context.Context, events *fleet.EventRepository, q repository.Query[fleet.Event]) error {
	docs, err := q.Collect(ctx)
	for i := range docs {
		docs[i].Speed = 3
		docs[i].VIN = "x" // want `assigning to docs\[i\].VIN changes the key of the Event that was read`
		err = errors.Join(err, events.Replace(ctx, docs[i]))
	}
	first := docs[0]
	first.ID = "x" // want `assigning to first.ID`
	return errors.Join(err, events.Replace(ctx, first))
}

func alias(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	read, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	a := read
	a.Owner = "x" // want `assigning to a.Owner`
	return accounts.Replace(ctx, a)
}

var errNotNow = errors.New("not now")

func rename(e *fleet.Event) error {
	if e.Speed == 0 {
		e.VIN = "none"
		return errNotNow
	}
	if e.Speed == 1 {
		e.VIN = "one"
		return fmt.Errorf("event %s: %w", e.ID, errNotNow)
	}
	e.VIN = "x" // want `and Update refuses that: call Move`
	return nil
}

func named(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	local := func(e *fleet.Event) error {
		e.ID = "x" // want `and Update refuses that: call Move`
		return nil
	}
	return errors.Join(events.Update(ctx, key, rename), events.Update(ctx, key, rename), events.Update(ctx, key, local))
}

// The rest is as it should be, or not certain.

func others(ctx context.Context, events *fleet.EventRepository, q repository.Query[fleet.Event], n int) error {
	docs, err := q.Collect(ctx)
	if err != nil || len(docs) < 2 {
		return err
	}
	docs[0].VIN = "x"
	err = events.Replace(ctx, docs[1])
	i := n
	docs[i].VIN = "y"
	i++
	err = errors.Join(err, events.Replace(ctx, docs[i]))
	for i := range docs {
		docs[i] = &fleet.Event{}
		docs[i].VIN = "z"
		err = errors.Join(err, events.Upsert(ctx, docs[i]))
	}
	return err
}

func restored(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	before := *e
	e.VIN = "x"
	restore(e, &before)
	err = events.Replace(ctx, e)
	e.VIN = "y" // want `assigning to e.VIN`
	fmt.Println(e, e.Key())
	return errors.Join(err, events.Replace(ctx, e))
}

func joined(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey, fresh bool) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	for e.Speed > 0 {
		if fresh {
			e = &fleet.Event{}
		}
		e.VIN = "x"
		e.Speed--
	}
	return events.Replace(ctx, e)
}

func later(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	for range 3 {
		err = errors.Join(err, events.Replace(ctx, e))
		e.VIN = "x" // want `assigning to e.VIN`
	}
	return err
}

func restore(e, before *fleet.Event) { *e = *before }

func movedInSlice(ctx context.Context, events *fleet.EventRepository, docs []*fleet.Event, q repository.Query[fleet.Event]) error {
	docs, err := q.Collect(ctx)
	for i := range docs {
		key := docs[i].Key()
		docs[i].VIN = "x"
		if key != docs[i].Key() {
			err = errors.Join(err, events.Move(ctx, key, docs[i]))
			continue
		}
		err = errors.Join(err, events.Replace(ctx, docs[i]))
	}
	return err
}

func pointer(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	p := &a.Owner
	*p = "x" // want `assigning to \*p changes the key of the Account that was read`
	return accounts.Replace(ctx, a)
}

func pointerAtStruct(ctx context.Context, events *fleet.EventRepository, key fleet.EventKey) error {
	e, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	meta := &e.Meta
	meta.Region = "eu" // want `assigning to meta.Region changes the key of the Event that was read`
	speed := &e.Speed
	*speed = 3
	return events.Replace(ctx, e)
}

// The rest is as it should be, or not certain.

func pointerHanded(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	p := &a.Owner
	*p = "x"
	put(p)
	return accounts.Replace(ctx, a)
}

func put(owner *string) { *owner = "before" }

func pointerOfAnother(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	p := &a.Owner
	a = &fleet.Account{}
	*p = "x"
	return accounts.Replace(ctx, a)
}

func restoredValue(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	owner := a.Owner
	a.Owner = "nobody"
	fmt.Println(a)
	a.Owner = owner
	return accounts.Replace(ctx, a)
}

func restoredThroughPointer(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	p := &a.Owner
	owner := *p
	*p = "nobody"
	fmt.Println(a)
	*p = owner
	return accounts.Replace(ctx, a)
}

func notRestored(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	a.Owner = "nobody"
	owner := a.Owner
	a.Owner = owner // want `assigning to a.Owner`
	return accounts.Replace(ctx, a)
}

func upsertThenDelete(ctx context.Context, accounts *fleet.AccountRepository, key fleet.AccountKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	old := a.Key()
	a.Owner = "x"
	if err := accounts.Upsert(ctx, a); err != nil {
		return err
	}
	return accounts.Delete(ctx, old)
}

func upsertThenDeleteAnother(ctx context.Context, accounts *fleet.AccountRepository, events *fleet.EventRepository, key fleet.AccountKey, other fleet.EventKey) error {
	a, err := accounts.Get(ctx, key)
	if err != nil {
		return err
	}
	a.Owner = "x" // want `and Upsert refuses, or stores a second document`
	if err := accounts.Upsert(ctx, a); err != nil {
		return err
	}
	return events.Delete(ctx, other)
}

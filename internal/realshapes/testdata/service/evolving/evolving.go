// Package evolving has a type with properties that came later. Of it and of what
// fills them in are the examples of docs/evolution.md.
package evolving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

type Grade string

type Trip struct {
	ID      string `json:"id"`
	Vehicle string `json:"vehicle" cosmos:"pk"`

	Speed int `json:"speed" cosmos:"later"`

	Ratio   float64         `json:"ratio" cosmos:"later"`
	Closed  bool            `json:"closed" cosmos:"later"`
	Grade   Grade           `json:"grade" cosmos:"later"`
	Seen    repository.Time `json:"seen" cosmos:"later"`
	Details Details         `json:"details"`
}

type Details struct {
	Stops int `json:"stops" cosmos:"later"`
}

// FillIn writes the speed into trips that lack it.
func FillIn(ctx context.Context, trips *TripRepository) error {
	missing := repository.Not(repository.IsDefined(TripFields.Speed))
	for trip, err := range trips.Scan().Where(missing).All(ctx) {
		if err != nil {
			return err
		}
		err = trips.PatchIf(ctx, trip.Key(), missing, TripPatch.Speed.Set(0))
		if err != nil && !errors.Is(err, repository.ErrPreconditionFailed) { // somebody else has written it since
			return err
		}
	}
	return nil
}

// Person has a property that was renamed.
type Person struct {
	ID       string `json:"id"`
	City     string `json:"city" cosmos:"pk"`
	FullName string `json:"name" cosmos:"was=fullName"`
}

// Rename writes the documents that have the old name under the new one.
func Rename(ctx context.Context, people *PersonRepository) error {
	done, err := admin.Upgrade(ctx, people.Documents, admin.Run{
		Budget: 400, // request units a second, of this process
		Progress: func(s admin.Summary) {
			log.Printf("%d of %d documents, %.0f RU", s.Changed, s.Found, s.RequestUnits)
		},
	})
	if err == nil && !done.Done() {
		err = fmt.Errorf("%d documents are left: %v", done.Left, done.Err)
	}
	return err
}

// Order is an order of the release that reads the next form.
type Order struct {
	Euros int `json:"euros"`
}

// Downgrade is the opposite of Upgrade in the next release.
func (o *Order) Downgrade(from int, doc json.RawMessage) error {
	var next struct {
		Cents int `json:"cents"`
	}
	err := json.Unmarshal(doc, &next)
	o.Euros = next.Cents / 100
	return err
}

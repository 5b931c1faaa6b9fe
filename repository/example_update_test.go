package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// This file holds examples of writes that depend on the stored document. Examples without
// output run in a test of their own.

func exampleReplace(ctx context.Context, events *fleet.VehicleEventRepository) error {
	event := &fleet.VehicleEvent{ID: "departure", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	if err := events.Create(ctx, event); err != nil {
		return err
	}
	event.Speed = 60
	if err := events.Replace(ctx, event); err != nil { // unless somebody else has stored it since
		return err
	}
	return nil
}

// A document keeps the ETag with which it was stored or read, so that Replace does
// not undo what somebody else has stored since.
func ExampleDocuments_Replace() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()

	mine, err := events.Get(ctx, kit.Event(120).Key())
	must(err)
	yours, err := events.Get(ctx, kit.Event(120).Key())
	must(err)
	must(events.Replace(ctx, yours))
	err = events.Replace(ctx, mine)
	fmt.Println(errors.Is(err, repository.ErrPreconditionFailed))
	// Output: true
}

func exampleUpdate(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	err := events.Update(ctx, key, func(e *fleet.VehicleEvent) error {
		e.Speed += 10
		return nil
	})
	return err
}

func exampleUpdateOrCreate(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) (*fleet.VehicleEvent, error) {
	event, err := events.UpdateOrCreate(ctx, key, func(e *fleet.VehicleEvent) error {
		e.ID, e.Date, e.VIN = key.ID, key.Date, key.VIN
		e.Speed += 10
		return nil
	})
	return event, err
}

func exampleHTTPStatus(err error) map[string]any {
	status := repository.HTTPStatus(err)
	body := map[string]any{"status": status, "title": http.StatusText(status), "field": repository.HTTPField(err)}
	return body
}

func TestExamplesOfServices(t *testing.T) {
	events, stop := eventsOfADay()
	defer stop()
	key := fleet.VehicleEventKey{ID: "arrival", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	for _, want := range []int{10, 20} {
		if event, err := exampleUpdateOrCreate(t.Context(), events, key); err != nil || event.Speed != want {
			t.Errorf("got %+v, %v", event, err)
		}
	}
	_, err := exampleUpdateOrCreate(t.Context(), events, fleet.VehicleEventKey{})
	if body := exampleHTTPStatus(err); body["status"] != http.StatusBadRequest || body["field"] != "ID" {
		t.Errorf("got %v of %v", body, err)
	}
}

func exampleDeleteIfMatch(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	event, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	err = events.DeleteIfMatch(ctx, event)
	if errors.Is(err, repository.ErrPreconditionFailed) {
		return nil // somebody still writes it
	}
	return err
}

func exampleMove(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	event, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	event.Date = "2018-08-10"
	return events.Move(ctx, key, event)
}

func exampleResumeMove(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey, file string) error {
	event, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	event.Date = "2018-08-11"
	state, err := events.PrepareMove(ctx, key, event)
	if err != nil {
		return err
	}
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	return events.ResumeMove(ctx, state)
}

// exampleResumeMoves is what a program does with the state when it starts again.
func exampleResumeMoves(ctx context.Context, events *fleet.VehicleEventRepository, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var state fleet.VehicleEventMoveState
	if err := json.Unmarshal(text, &state); err != nil {
		return err
	}
	if err := events.ResumeMove(ctx, state); err != nil {
		return err
	}
	return os.Remove(file)
}

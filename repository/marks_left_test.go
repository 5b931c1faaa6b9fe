package repository_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// Tokens as the two moves make them.
var (
	rekeyToken     = strings.Repeat("K", marks.RekeyToken)
	migrationToken = strings.Repeat("M", marks.MigrationToken)
)

// leave stores a ride at a key as a move has left it.
func leave(t *testing.T, c *azcosmos.ContainerClient, key rideKey, at, mark string) {
	t.Helper()
	body := fmt.Sprintf(`{"id":%q,"day":%q,"vin":%q,"pk":%q,"speed":7`, key.ID, key.Day, key.VIN, at)
	if mark != "" {
		body += `,"_move":` + mark
	}
	if _, err := c.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(at), []byte(body+"}"), nil); err != nil {
		t.Fatal(err)
	}
}

// TestMigrationOfUnfinishedRekey has a migration meet everything that a Rekey leaves which
// has not ended. Each operation takes the same for documents.
//
//nolint:gocyclo // one table of all operations
func TestMigrationOfUnfinishedRekey(t *testing.T) {
	const (
		moved   = `{"state":"moved","token":"%s"}`
		removed = `{"state":"removed","token":"%s"}`
		copied  = `{"state":"copy","token":"%s","from":"e"}`
		final   = `{"state":"final","token":"%s","at":12}`
		gone    = `{"state":"gone"}`
	)
	vin := vinWith(t, moves)
	for _, tt := range []struct {
		name       string
		old, new   string // marks at the keys of 4 and of 12 buckets; "-" for nothing there
		exists     bool
		misplaced  bool // it lies where no program with 12 buckets alone looks
		afterwards int  // marks that stay in the old container when all have moved
	}{
		{"moved", moved, final, true, false, 1},
		{"moved, and the copy is not final", moved, copied, true, false, 1},
		{"a copy that came too late", "-", copied, false, false, 1},
		{"deleted after the move", removed, "-", false, false, 1},
		{"a copy of a deletion", removed, copied, false, false, 2},
		{"being deleted", moved, gone, false, false, 2},
		{"not moved yet", "", copied, false, true, 2},
		{"not moved", "", "-", false, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, op := range []string{"MoveAll", "Get", "Upsert", "Create", "Update", "Patch", "Delete"} {
				ctx := context.Background()
				v := newVoyages(t)
				key := rideKey{"e", kit.Day, vin}
				for at, mark := range map[string]string{key.at(4): tt.old, key.at(12): tt.new} {
					if strings.Contains(mark, "%s") {
						mark = fmt.Sprintf(mark, rekeyToken)
					}
					if mark != "-" {
						leave(t, v.old, key, at, mark)
					}
				}
				want := map[string]int{}
				if tt.exists || tt.misplaced { // Scan finds what a repository of 12 buckets would
					want["e"] = 7
				}
				for _, phase := range []repository.Phase{repository.PhaseOld, repository.PhaseBoth, repository.PhaseNew} {
					if got := v.speeds(t, v.in(phase)); !maps.Equal(got, want) {
						t.Fatalf("phase %d: Scan gives %v", phase, got)
					}
				}
				m := v.in(repository.PhaseNew)
				missing := repository.ErrNotFound
				if tt.exists {
					missing = nil
				}
				var err error
				switch doc := (&fixtures.Voyage{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 8}); op {
				case "MoveAll":
					summary, err := admin.MoveAll(ctx, m, admin.Run{})
					if err != nil || summary.Done == tt.misplaced || (summary.Moved == 1) != tt.exists {
						t.Errorf("%+v, %v", summary, err)
					}
					if n := countStored(t, v.old, "true"); n != tt.afterwards {
						t.Errorf("%d are in the old container", n)
					}
				case "Get":
					_, err = m.Get(ctx, key)
					checkIs(t, op, err, missing)
				case "Upsert":
					checkIs(t, op, m.Upsert(ctx, doc), nil)
				case "Create":
					taken := repository.ErrAlreadyExists
					if !tt.exists {
						taken = nil
					}
					checkIs(t, op, m.Create(ctx, doc), taken)
				case "Update":
					checkIs(t, op, m.Update(ctx, key, func(v *fixtures.Voyage) error { v.Speed++; return nil }), missing)
				case "Patch":
					checkIs(t, op, m.Patch(ctx, key, repository.PatchNumber[fixtures.Voyage, int]("/speed").Increment(1)), missing)
				case "Delete":
					checkIs(t, op, m.Delete(ctx, key), missing)
				}
				switch created := op == "Upsert" || op == "Create"; {
				case op == "Delete" && tt.exists:
					want = map[string]int{}
				case op == "Upsert" && tt.exists, created && !tt.exists:
					want = map[string]int{"e": 8}
				case (op == "Update" || op == "Patch") && tt.exists:
					want = map[string]int{"e": 8}
				}
				if tt.misplaced && slices.Contains([]string{"Create", "Upsert"}, op) {
					continue // there are two now, as a repository of 12 buckets would make them
				}
				if got := v.speeds(t, m); !maps.Equal(got, want) {
					t.Errorf("after %s: Scan gives %v, want %v", op, got, want)
				}
			}
		})
	}
}

// TestRekeyOfMigrating has a Rekey meet a document that is moving to another container: it
// stays, however old its mark is, and writes of it are refused.
func TestRekeyOfMigrating(t *testing.T) {
	ctx := context.Background()
	r, c := newMovingRides(t, false)
	key := rideKey{"e", kit.Day, vinWith(t, moves)}
	leave(t, c, key, key.at(4), `{"state":"moved","token":"`+migrationToken+`"}`)
	for range 2 {
		r.server.Advance(grace)
		done, err := admin.Rekey(ctx, r.second.Documents, admin.Run{})
		if err != nil || done.Done() || done.Failed != 1 || done.Removed != 0 || done.Err == nil || !strings.Contains(done.Err.Error(), "is moving the document to another container") {
			t.Errorf("%+v, %v", done, err)
		}
		if n := countStored(t, c, "true"); n != 1 {
			t.Errorf("%d documents", n)
		}
	}
	if docs, err := r.second.Scan().Collect(ctx); err != nil || len(docs) != 1 {
		t.Errorf("Scan gives %d documents, %v", len(docs), err)
	}
	if err := r.second.Delete(ctx, key); err == nil || !strings.Contains(err.Error(), "is moving the document to another container") {
		t.Errorf("Delete: %v", err)
	}
}

// checkIs reports an error that does not match, or is one where none is wanted.
func checkIs(t *testing.T, what string, err, want error) {
	t.Helper()
	if want == nil && err != nil || want != nil && !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

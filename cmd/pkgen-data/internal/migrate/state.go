package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// progress is the state document of a whole migration.
type progress struct {
	ID      string   `json:"id"`
	From    string   `json:"from"` // container, for people
	To      string   `json:"to"`
	FromRID string   `json:"fromRid"`
	ToRID   string   `json:"toRid"`
	Layouts []string `json:"layouts"` // by type
	Units   int      `json:"units"`
	Bounds  []string `json:"bounds"`  // the lower bound of each unit
	Runs    []string `json:"runs"`    // live runs, and crashed ones not yet removed
	Lost    int      `json:"lost"`    // runs considered dead, which may only be suspended
	Cutover string   `json:"cutover"` // the only run that may write to the destination, or ""
	Closed  bool     `json:"closed"`  // both sides were equal, so programs may have switched
	Ended   ending   `json:"ended"`   // when it was last closed
}

// unit is the state document of a part of the source's key space, which one run at a time copies.
type unit struct {
	ID    string         `json:"id"`
	Parts []account.Part `json:"parts"`
	// Deletions is the position of the feed of all versions and deletions, which begins before the
	// copy; empty if the account has no such feed.
	Deletions []account.Part `json:"deletions,omitempty"`
	Copied    bool           `json:"copied"` // everything was in the destination once
	Owner     string         `json:"owner"`  // a run, or ""
	Saves     int            `json:"saves"`
	Counts    Counts         `json:"counts"`

	etag string
}

// Counts are what was done to the destination.
type Counts struct {
	Read    int64 `json:"read"`    // documents of the source, some of them again
	Written int64 `json:"written"` // documents of the destination, some of them again
	Removed int64 `json:"removed"`
	Refused int64 `json:"refused"` // could not be rekeyed; some of them again
	Expired int64 `json:"expired"` // were not copied, since their time to live was over
}

func (c *Counts) add(other Counts) {
	c.Read += other.Read
	c.Written += other.Written
	c.Removed += other.Removed
	c.Refused += other.Refused
	c.Expired += other.Expired
}

// states accesses the state documents, in a container with the key /id.
type states struct {
	account   *account.Account
	container *account.Container
	name      string // prefix of the ids of a migration
}

// keyOf returns the partition key of a state document.
func keyOf(id string) string { return string(encode([]string{id})) }

// load reads a state document, and returns its ETag; "" if it does not exist.
func (s *states) load(ctx context.Context, id string, into any) (etag string, err error) {
	raw, etag, err := s.account.ReadItem(ctx, s.container, id, keyOf(id))
	if account.Absent(err) {
		return "", nil
	}
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	return etag, err
}

// errTaken means that another run has written a state document.
var errTaken = errors.New("another run has taken over: wait until it has ended, and run the command again")

// create writes a new state document. If one exists, the error is errTaken.
func (s *states) create(ctx context.Context, id string, document any) (etag string, err error) {
	etag, err = s.account.CreateItem(ctx, s.container, keyOf(id), encode(document))
	if account.Is(err, http.StatusConflict) {
		return "", errTaken
	}
	return etag, err
}

// replace replaces a state document on its ETag. If it has another one, the error is errTaken.
func (s *states) replace(ctx context.Context, id string, document any, etag string) (string, error) {
	etag, err := s.account.ReplaceItem(ctx, s.container, id, keyOf(id), encode(document), etag)
	if account.Is(err, http.StatusPreconditionFailed) || account.Absent(err) {
		return "", errTaken
	}
	return etag, err
}

// remove removes a state document on its ETag. If it has another one, or does not exist, the error
// is errTaken.
func (s *states) remove(ctx context.Context, id, etag string) error {
	err := s.account.DeleteItem(ctx, s.container, id, keyOf(id), etag)
	if account.Is(err, http.StatusPreconditionFailed) || account.Absent(err) {
		return errTaken
	}
	return err
}

// unitID returns the id of a unit.
func (s *states) unitID(n int) string { return s.name + ".unit." + strconv.Itoa(n) }

// save writes a unit on its ETag. If the stored unit is equal, the answer of an earlier attempt was
// lost.
func (s *states) save(ctx context.Context, u *unit) error {
	u.Saves++
	etag, err := s.replace(ctx, u.ID, u, u.etag)
	if errors.Is(err, errTaken) {
		var now unit
		if etag, err = s.load(ctx, u.ID, &now); err == nil && (etag == "" || now.Owner != u.Owner || now.Saves != u.Saves) {
			err = errTaken
		}
	}
	if err == nil {
		u.etag = etag
	}
	return err
}

// list adds the places of documents to the ledger, before they are written there.
func (s *states) list(ctx context.Context, run string, n int64, places []uint64) error {
	id := fmt.Sprintf("%s.ledger.%s.%d", s.name, run, n)
	texts := make([]string, len(places))
	for i, p := range places {
		texts[i] = strconv.FormatUint(p, 36)
	}
	_, err := s.create(ctx, id, map[string]any{"id": id, "places": texts})
	if errors.Is(err, errTaken) {
		return nil // its answer was lost
	}
	return err
}

// listed passes all places of the ledger to take.
func (s *states) listed(ctx context.Context, take func(place uint64)) error {
	var problem error
	err := s.account.Query(ctx, s.container, "SELECT c.places FROM c WHERE STARTSWITH(c.id, @prefix)", map[string]any{"@prefix": s.name + ".ledger."}, func(row json.RawMessage) {
		var page struct {
			Places []string `json:"places"`
		}
		if err := json.Unmarshal(row, &page); err != nil {
			problem = err
		}
		for _, text := range page.Places {
			place, err := strconv.ParseUint(text, 36, 64)
			problem = errors.Join(problem, err)
			take(place)
		}
	})
	return errors.Join(err, problem)
}

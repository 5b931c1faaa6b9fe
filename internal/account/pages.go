package account

import (
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"math"
	"net/http"
	"net/url"
	"strings"
)

// ErrDivided is returned if a physical partition is split or merged while a window is read.
var ErrDivided = errors.New("a physical partition was split or merged while it was read")

// ReadWindow passes the documents of a window to take as raw JSON, each once, one page at a time.
// Documents written meanwhile may be included; documents that exist throughout always are. After
// [ErrDivided], take has received only a part: discard it and read the window again. If the account
// has a rate, a page costs about a second of it. The account must not be used for anything else
// meanwhile.
func (a *Account) ReadWindow(ctx context.Context, c *Container, w Window, take func(documents []json.RawMessage) error) error {
	var failed error
	documents, charged := 0.0, 0.0
	r := reader{account: a, container: c, seed: maphash.MakeSeed(), seen: map[uint64]struct{}{}}
	r.limit = func() int {
		switch {
		case failed != nil:
			return 0
		case a.pace.rate <= 0:
			return pageSize
		case documents == 0:
			return int(min(max(a.pace.rate, 1), pageSize))
		}
		return int(min(max(math.Floor((a.pace.rate-costRequest)*documents/charged), 1), pageSize))
	}
	r.take = func(page []json.RawMessage, charge float64) {
		documents, charged = documents+float64(len(page)), charged+max(charge, 0.01)
		if failed == nil {
			failed = take(page)
		}
	}
	ranges, err := a.knownRanges(ctx, c)
	if err != nil {
		return err
	}
	c.ranges = ranges
	_, err = r.ranges(ctx, w)
	if is(err, http.StatusGone) {
		a.forgetRanges(c)
		return ErrDivided
	}
	return errors.Join(err, failed)
}

// Settings reads the settings of a container as JSON, without those that only the service writes,
// whose names begin with "_".
func (a *Account) Settings(ctx context.Context, c *Container) (json.RawMessage, error) {
	var all settings
	if _, err := a.do(ctx, c.request("", "colls", ""), &all); err != nil {
		return nil, err
	}
	for name := range all {
		if strings.HasPrefix(name, "_") {
			delete(all, name)
		}
	}
	return json.Marshal(all)
}

// CreateContainer creates a container of a database from its settings, and the database if it is
// missing. It returns false if the container exists. With a token of Microsoft Entra ID, the error
// has status 403.
func (a *Account) CreateContainer(ctx context.Context, database string, settings json.RawMessage) (bool, error) {
	r := request{what: "a new container in database " + database, method: http.MethodPost, path: "dbs/" + url.PathEscape(database) + "/colls", resource: "colls", link: "dbs/" + database, body: string(settings), header: map[string]string{"Content-Type": "application/json"}}
	_, err := a.do(ctx, r, nil)
	if is(err, http.StatusNotFound) {
		text, _ := json.Marshal(map[string]string{"id": database}) // a string always marshals
		_, err = a.do(ctx, request{what: "a new database " + database, method: http.MethodPost, path: "dbs", resource: "dbs", body: string(text), header: map[string]string{"Content-Type": "application/json"}}, nil)
		if err == nil || is(err, http.StatusConflict) {
			_, err = a.do(ctx, r, nil)
		}
	}
	if is(err, http.StatusConflict) {
		return false, nil
	}
	return err == nil, err
}

package account

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Container is a container and its settings.
type Container struct {
	Database     string `json:"-"`
	ID           string `json:"id"`
	PartitionKey struct {
		Paths   []string `json:"paths"`
		Kind    string   `json:"kind"`
		Version int      `json:"version"` // 0 means 1
	} `json:"partitionKey"`
	DefaultTTL *int `json:"defaultTtl"` // seconds, -1, or nil

	ranges []Range // that were read last, or nil
}

// Window is an interval of effective partition keys: from Min up to and without Max.
type Window struct{ Min, Max string }

// The bounds of all effective partition keys.
const (
	lowest  = ""
	highest = "FF"
)

// All is the window of all effective partition keys.
func All() Window { return Window{lowest, highest} }

// Windows divides all effective partition keys of version 2 into n equal windows, n
// from 1 to 4,096.
func Windows(n int) []Window {
	all := make([]Window, n)
	bound := func(i int) string {
		switch i {
		case 0:
			return lowest
		case n:
			return highest
		}
		return fmt.Sprintf("%08X", uint64(i)*0x40000000/uint64(n)) // the top two bits of a key are zero
	}
	for i := range all {
		all[i] = Window{bound(i), bound(i + 1)}
	}
	return all
}

// intersect returns what is in both windows, and false if that is nothing.
func (w Window) intersect(other Window) (Window, bool) {
	both := Window{slices.MaxFunc([]string{w.Min, other.Min}, partition.CompareEPK), slices.MinFunc([]string{w.Max, other.Max}, partition.CompareEPK)}
	return both, partition.CompareEPK(both.Min, both.Max) < 0
}

// Range is a physical partition.
type Range struct {
	ID  string `json:"id"`
	Min string `json:"minInclusive"`
	Max string `json:"maxExclusive"`
}

// Databases returns the ids of the account's databases.
func (a *Account) Databases(ctx context.Context) ([]string, error) {
	var ids []string
	header := map[string]string{}
	for {
		var page struct{ Databases []struct{ ID string } }
		answer, err := a.do(ctx, request{what: "the databases of the account", method: http.MethodGet, path: "dbs", resource: "dbs", header: header}, &page)
		if err != nil {
			return nil, err
		}
		for _, d := range page.Databases {
			ids = append(ids, d.ID)
		}
		if header["x-ms-continuation"] = answer.Get("x-ms-continuation"); header["x-ms-continuation"] == "" {
			return ids, nil
		}
	}
}

// Container reads the settings of a container. The error of one that is not there is a
// [*StatusError] with status 404.
func (a *Account) Container(ctx context.Context, database, id string) (*Container, error) {
	c := &Container{Database: database, ID: id}
	_, err := a.do(ctx, c.request("", "colls", ""), c)
	return c, err
}

// Find returns the container of an id in a database, or, if database is "", in the only
// database that has it. It sends a request for each database.
func (a *Account) Find(ctx context.Context, database, id string) (*Container, error) {
	if database != "" {
		return a.Container(ctx, database, id)
	}
	databases, err := a.Databases(ctx)
	if err != nil {
		return nil, err
	}
	var found []*Container
	var in []string
	for _, database := range databases {
		c, err := a.Container(ctx, database, id)
		switch {
		case is(err, http.StatusNotFound):
		case err != nil:
			return nil, err
		default:
			found, in = append(found, c), append(in, database)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no database of the account has a container %q: check the connection string", id)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("container %q is in several databases, %s: name one", id, strings.Join(in, ", "))
}

// request returns a request about a container, or about what is below it.
func (c *Container) request(below, resource, body string) request {
	r := request{
		what: fmt.Sprintf("container %q of database %q", c.ID, c.Database), method: http.MethodGet, resource: resource, body: body,
		path: "dbs/" + url.PathEscape(c.Database) + "/colls/" + url.PathEscape(c.ID) + below,
		link: "dbs/" + c.Database + "/colls/" + c.ID, header: map[string]string{},
	}
	if body != "" {
		r.method = http.MethodPost
	}
	return r
}

// Ranges reads the physical partitions of a container.
func (a *Account) Ranges(ctx context.Context, c *Container) ([]Range, error) {
	var page struct{ PartitionKeyRanges []Range }
	_, err := a.do(ctx, c.request("/pkranges", "pkranges", ""), &page)
	return page.PartitionKeyRanges, err
}

// pageSize is how many documents a page has at most.
const pageSize = 1000

// Read reads the documents of a window, a page at a time, and gives each page to take,
// until that returns false. If a physical partition has been split or merged, the error
// is a [*StatusError] with status 410: then read the ranges again, and the window.
func (a *Account) Read(ctx context.Context, c *Container, ranges []Range, w Window, take func(documents []json.RawMessage) bool) error {
	for _, r := range ranges {
		part, ok := w.intersect(Window{r.Min, r.Max})
		if !ok {
			continue
		}
		req := c.request("/docs", "docs", `{"query":"SELECT * FROM c","parameters":[]}`)
		maps.Copy(req.header, map[string]string{
			"Content-Type": "application/query+json", "x-ms-documentdb-isquery": "True", "x-ms-documentdb-query": "True",
			"x-ms-documentdb-query-enablecrosspartition": "True",
			"x-ms-max-item-count":                        strconv.Itoa(pageSize),
			"x-ms-documentdb-partitionkeyrangeid":        r.ID,
		})
		if part != (Window{r.Min, r.Max}) {
			req.header["x-ms-read-key-type"] = "EffectivePartitionKeyRange"
			req.header["x-ms-start-epk"], req.header["x-ms-end-epk"] = part.Min, part.Max
		}
		for {
			var page struct{ Documents []json.RawMessage }
			answer, err := a.do(ctx, req, &page)
			if err != nil {
				return err
			}
			if !take(page.Documents) {
				return nil
			}
			if req.header["x-ms-continuation"] = answer.Get("x-ms-continuation"); req.header["x-ms-continuation"] == "" {
				break
			}
		}
	}
	return nil
}

// ReadAgain is Read, which reads the ranges before the first window of c, and again
// after a split or a merge: then it calls restart, and reads the window from its begin.
func (a *Account) ReadAgain(ctx context.Context, c *Container, w Window, restart func(), take func(documents []json.RawMessage) bool) error {
	for attempt := 1; ; attempt++ {
		var err error
		if c.ranges == nil {
			c.ranges, err = a.Ranges(ctx, c)
		}
		if err == nil {
			err = a.Read(ctx, c, c.ranges, w, take)
		}
		if !is(err, http.StatusGone) || attempt == attempts {
			return err
		}
		c.ranges = nil
		restart()
	}
}

package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Container is a container and its settings.
type Container struct {
	Database     string `json:"-"`
	ID           string `json:"id"`
	RID          string `json:"_rid"` // changes if the container is recreated
	PartitionKey struct {
		Paths   []string `json:"paths"`
		Kind    string   `json:"kind"`
		Version int      `json:"version"` // 0 means 1
	} `json:"partitionKey"`
	DefaultTTL      *int `json:"defaultTtl"` // seconds, -1, or nil
	UniqueKeyPolicy struct {
		UniqueKeys []struct {
			Paths []string `json:"paths"`
		} `json:"uniqueKeys"`
	} `json:"uniqueKeyPolicy"`

	ranges []Range // the last ones read, or nil
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
		var page databasesPage
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

// Containers returns the ids of the containers of a database, or, if database is "", of all
// databases, each once. It sends one request per database.
func (a *Account) Containers(ctx context.Context, database string) ([]string, error) {
	databases := []string{database}
	if database == "" {
		var err error
		if databases, err = a.Databases(ctx); err != nil {
			return nil, err
		}
	}
	var ids []string
	for _, database := range databases {
		in, err := a.containersOf(ctx, database)
		if err != nil {
			return nil, err
		}
		for _, id := range in {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

func (a *Account) containersOf(ctx context.Context, database string) ([]string, error) {
	var ids []string
	r := request{
		what: fmt.Sprintf("the containers of database %q", database), method: http.MethodGet,
		path: "dbs/" + url.PathEscape(database) + "/colls", resource: "colls", link: "dbs/" + database, header: map[string]string{},
	}
	for {
		var page containersPage
		answer, err := a.do(ctx, r, &page)
		if err != nil {
			return nil, err
		}
		for _, c := range page.DocumentCollections {
			ids = append(ids, c.ID)
		}
		if r.header["x-ms-continuation"] = answer.Get("x-ms-continuation"); r.header["x-ms-continuation"] == "" {
			return ids, nil
		}
	}
}

// Container reads the settings of a container. A missing container is a [*StatusError] with status
// 404.
func (a *Account) Container(ctx context.Context, database, id string) (*Container, error) {
	c := &Container{Database: database, ID: id}
	_, err := a.do(ctx, c.request("", "colls", ""), c)
	return c, err
}

// NotFound reports whether an error means that a container or its database does not exist.
func NotFound(err error) bool {
	var none noContainerError
	return errors.As(err, &none) || is(err, http.StatusNotFound)
}

// noContainerError is the id of a container that exists in no database.
type noContainerError string

func (e noContainerError) Error() string {
	return fmt.Sprintf("no database of the account has a container %q: check the connection string", string(e))
}

// Find returns the container with an id in a database or, if database is "", in the only database
// that has it. It sends one request per database.
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
		return nil, noContainerError(id)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("container %q is in several databases, %s: name one by -database", id, strings.Join(in, ", "))
}

// request returns a request for a container, or for a resource below it.
func (c *Container) request(below, resource, body string) request {
	r := request{
		what: fmt.Sprintf("container %q of database %q", c.ID, c.Database), method: http.MethodGet, resource: resource, body: body,
		path: "dbs/" + url.PathEscape(c.Database) + "/colls/" + url.PathEscape(c.ID) + below,
		link: "dbs/" + c.Database + "/colls/" + c.ID, header: map[string]string{},
	}
	if body != "" {
		r.method = http.MethodPost
	}
	if resource == "docs" {
		r.of = r.link
	}
	return r
}

// Ranges reads the physical partitions of a container.
func (a *Account) Ranges(ctx context.Context, c *Container) ([]Range, error) {
	var page rangesPage
	_, err := a.do(ctx, c.request("/pkranges", "pkranges", ""), &page)
	return page.PartitionKeyRanges, err
}

package account

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// selfChecking is an answer that detects truncation. A proxy between program and service may cut an
// answer to valid JSON with fewer elements; the request of an incomplete answer is repeated.
type selfChecking interface {
	// check returns an error if the answer is incomplete.
	check(header http.Header) error
}

// documentsPage is a page of documents, or of rows.
type documentsPage struct {
	Documents []json.RawMessage
	Count     *int `json:"_count"`
}

func (p *documentsPage) check(header http.Header) error {
	return checkList("Documents", p.Documents, p.Count, header)
}

type rangesPage struct {
	PartitionKeyRanges []Range
	Count              *int `json:"_count"`
}

func (p *rangesPage) check(header http.Header) error {
	if len(p.PartitionKeyRanges) == 0 {
		return errors.New("it has no PartitionKeyRanges")
	}
	return checkList("PartitionKeyRanges", p.PartitionKeyRanges, p.Count, header)
}

type named struct{ ID string }

type databasesPage struct {
	Databases []named
	Count     *int `json:"_count"`
}

func (p *databasesPage) check(header http.Header) error {
	return checkList("Databases", p.Databases, p.Count, header)
}

type containersPage struct {
	DocumentCollections []named
	Count               *int `json:"_count"`
}

func (p *containersPage) check(header http.Header) error {
	return checkList("DocumentCollections", p.DocumentCollections, p.Count, header)
}

// checkList returns an error if the named list is missing, differs in length from the count in the
// answer, or is empty without such a count.
func checkList[T any](name string, list []T, said *int, header http.Header) error {
	counted, err := strconv.Atoi(header.Get("x-ms-item-count"))
	if err == nil && said == nil {
		said = &counted
	}
	switch {
	case list == nil:
		return errors.New("it has no list of " + name)
	case said == nil && len(list) == 0:
		return errors.New("it has no " + name + " and does not say how many there are")
	case said != nil && *said != len(list):
		return fmt.Errorf("it has %d %s and says that there are %d", len(list), name, *said)
	case err == nil && counted != len(list):
		return fmt.Errorf("it has %d %s and says that there are %d", len(list), name, counted)
	}
	return nil
}

func (c *Container) check(http.Header) error {
	if len(c.PartitionKey.Paths) == 0 {
		return errors.New("it has a container without a partition key")
	}
	return nil
}

// settings are the settings of a container, by name.
type settings map[string]json.RawMessage

func (s *settings) check(http.Header) error {
	if (*s)["partitionKey"] == nil {
		return errors.New("it has a container without a partition key")
	}
	return nil
}

// item is a document.
type item json.RawMessage

func (d *item) UnmarshalJSON(text []byte) error {
	*d = append((*d)[:0], text...)
	return nil
}

func (d *item) check(http.Header) error {
	var document struct {
		ID *string `json:"id"`
	}
	if err := json.Unmarshal(*d, &document); err != nil || document.ID == nil {
		return errors.New("it is not a document with an id")
	}
	return nil
}

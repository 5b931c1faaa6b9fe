package repository

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// store is a container and what a repository knows of it, whatever the types of
// its documents and keys. What can be done without these types is done here, so
// that a program has the code once, and not for each document type.
type store struct {
	container *azcosmos.ContainerClient
	typ       string   // of the documents, for errors
	draft     string   // the command that seals the layout of their key; "" if that is no draft
	paths     []string // of the partition key, one for each level
	settings  settings

	discriminator *generated.Discriminator // nil if all documents of the container are of the type

	unusable error // why nothing can be done with it; nil of all that are made rightly

	decode   func(raw []byte) (any, error) // returns a pointer to the type that documents have
	integers *integers                     // nil if documents have none that Cosmos DB would round
	rest     *rest                         // nil if that keeps no properties that it does not know

	// What the model says of keys:
	ambiguous    bool     // they can collide
	looks        bool     // another's document may have the id: Upsert, Replace and Delete look first
	random       bool     // they have a random suffix
	synthetic    bool     // they are stored in a property of their own
	hierarchical bool     // they have levels
	made         []int    // levels that are stored in properties of their own
	written      []string // paths of the id and of properties of the key whose types write JSON of their own

	here       atomic.Bool           // a draft is on this machine
	route      atomic.Pointer[route] // nil until it was learnt
	unroutable atomic.Pointer[error] // why there is no route, once that is certain
	refused    atomic.Bool           // the gateway does not walk the partitions of this container
}

// errUnsupported says that the effective partition keys of a container are not
// what package partition computes.
var errUnsupported = errors.New("the container's partition key is not of version 2")

// physical returns the physical partitions of the container and the version of
// that knowledge, or why queries cannot be scoped to them. The first call for a
// container sends up to three requests for metadata, later ones none.
func (s *store) physical(ctx context.Context) (m *rangeMap, version int, err error) {
	if reason := s.unroutable.Load(); reason != nil {
		return nil, 0, *reason
	}
	if err := s.stays(ctx); err != nil {
		return nil, 0, err
	}
	r := s.route.Load()
	if r != nil {
		if err := r.usable(); err != nil {
			return nil, 0, err
		}
		if m, version := r.known(); m != nil {
			return m, version, nil
		}
	}
	r, m, version, err = s.learnt(ctx, 0)
	if err != nil {
		if errors.Is(err, errNoPolicy) || errors.Is(err, errUnsupported) {
			s.unroutable.Store(&err)
		}
		return nil, 0, err
	}
	s.route.Store(r)
	return m, version, nil
}

// refresh returns the physical partitions anew after a request has shown that
// those of this version are gone. Of several that ask at once, one sends
// requests.
func (s *store) refresh(ctx context.Context, version int) (*rangeMap, int, error) {
	r := s.route.Load()
	if m, now := r.known(); m != nil && now > version {
		return m, now, nil
	}
	r.forget(version)
	_, m, now, err := s.learnt(ctx, version)
	return m, now, err
}

// learnt returns the route of the container and a map newer than version after.
// While physical partitions change, other readers may know what was just learnt
// to be out of date, and have forgotten it before it can be used: then it is
// learnt again, maxRestarts times at most.
func (s *store) learnt(ctx context.Context, after int) (*route, *rangeMap, int, error) {
	for attempt := 1; ; attempt++ {
		r, err := s.learn(ctx, after)
		if err == nil {
			err = r.usable()
		}
		if err == nil {
			if m, now := r.known(); m != nil {
				return r, m, now, nil
			}
			err = errChanging
		}
		if attempt == maxRestarts || !gone(err) && !errors.Is(err, errChanging) {
			return nil, nil, 0, err
		}
		if ended := pause(ctx, attempt); ended != nil {
			return nil, nil, 0, errors.Join(err, ended)
		}
	}
}

// errChanging says that what was learnt of a container is forgotten already.
var errChanging = errors.New("the physical partitions keep changing: run the query again")

package admin

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// WithEnsureContainer has writes create the container of a document if it does not
// exist, in a type whose documents are in several containers: a window, or the container
// of a tenant. The throughput is asked for by the container's name. Create, Upsert, their
// bulk operations, Move, and transactions that create or upsert do so; all else does not.
//
// A write that finds no container costs the request that says so, and then what [Ensure]
// costs. Many goroutines and processes may write at once: they make one container. A
// container that another program has made with other properties stays as it is.
//
// Identities of Microsoft Entra ID may not create containers. With a nil function every
// operation returns an error.
func WithEnsureContainer(throughput func(name string) Throughput) repository.Option {
	return func(s *untyped.Settings) {
		if throughput == nil {
			s.Wrong = errors.New("the function of WithEnsureContainer is nil")
			return
		}
		s.Containers.Supply = func(name string) provision.Throughput { return throughput(name).throughput }
	}
}

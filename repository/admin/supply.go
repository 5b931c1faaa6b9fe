package admin

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// WithEnsureContainer has writes create a document's container if it does not exist, in a type
// with several containers: a window, or the container of a tenant. throughput gets the
// container's name. Create, Upsert, their bulk operations, Move, and transactions that create
// or upsert do so; other operations do not.
//
// A write without a container costs the failed request, and the costs of [Ensure]. Many
// goroutines and processes may write at once: they make one container. A container that another
// program has created with other properties stays unchanged.
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

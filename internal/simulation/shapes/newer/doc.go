// Package newer has types of which two releases run side by side: that of older, and one that
// writes the form and the name which older announces.
package newer

//go:generate go run ../../compose newer
//go:generate go run ../../../../cmd/pkgen

import (
	"context"
	_ "embed"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
)

//go:embed pkgen.lock
var lock string

// sideBySide returns a type of which programs of both releases run. They are given in turn: the
// newer one and the older one.
func sideBySide(name string, features []string, container azcosmos.ContainerProperties, programs ...shapes.Opens) shapes.Shape {
	s := shapes.Shape{Name: name, Features: features, Lock: lock, Containers: []azcosmos.ContainerProperties{container}, Stages: shapes.Alone(programs...)}
	for i := range programs {
		s.Stages[0].Forms = append(s.Stages[0].Forms, 2-i%2)
	}
	return s
}

// upgraded returns the same type with a second stage: the newer release runs alone, and stores
// the documents of the older one anew.
func upgraded(name string, features []string, container azcosmos.ContainerProperties, upgrade func(context.Context, *azcosmos.DatabaseClient) (bool, error), programs ...shapes.Opens) shapes.Shape {
	s := sideBySide(name+"Upgraded", features, container, programs...)
	last := shapes.Stage{
		Maintain: func(ctx context.Context, db *azcosmos.DatabaseClient, _ int) error {
			_, err := upgrade(ctx, db)
			return err
		},
		Settle: upgrade,
	}
	for i := 0; i < len(programs); i += 2 {
		last.Programs, last.Forms = append(last.Programs, programs[i]), append(last.Forms, 2)
	}
	s.Stages = append(s.Stages, last)
	s.Patience = 20 * time.Second
	return s
}

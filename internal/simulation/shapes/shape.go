package shapes

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Shape is a type of the simulation.
type Shape struct {
	Name       string
	Features   []string
	Containers []azcosmos.ContainerProperties // which are there when a run begins
	Lock       string                         // the text of the pkgen.lock of its package
	Stages     []Stage                        // of a run, one after the other

	// Lag is how old the result of a query is at most, compared with a point read.
	Lag time.Duration
	// Patience is how long a mover runs at most.
	Patience time.Duration
}

// Stage is a part of a run.
type Stage struct {
	// Programs run side by side.
	Programs []Opens
	// Apart says that programs of different releases must not create one document.
	Apart bool
	// Move moves documents until its context ends. It is nil if documents do not move.
	Move func(ctx context.Context, db *azcosmos.DatabaseClient) error
	// Settle ends all moves after the stage. It returns false if a call a day later has more to
	// do. It is nil if documents do not move.
	Settle func(ctx context.Context, db *azcosmos.DatabaseClient) (done bool, err error)
}

// Opens returns the documents of a database, as a program of one release has them.
type Opens func(db *azcosmos.DatabaseClient, o ...repository.Option) Store

// Alone is the only stage of documents that do not move.
func Alone(program Opens) []Stage { return []Stage{{Programs: []Opens{program}}} }

// Moves reports whether documents move in a stage of a run.
func (s Shape) Moves() bool {
	for _, stage := range s.Stages {
		if stage.Move != nil {
			return true
		}
	}
	return false
}

// Open returns the documents as a program of the last release has them.
func (s Shape) Open(db *azcosmos.DatabaseClient, o ...repository.Option) Store {
	return s.Stages[len(s.Stages)-1].Programs[0](db, o...)
}

// Container returns a container of a database.
func Container(db *azcosmos.DatabaseClient, properties azcosmos.ContainerProperties) *azcosmos.ContainerClient {
	c, err := db.NewContainer(properties.ID)
	if err != nil {
		panic(err) // it has no name
	}
	return c
}

package shapes

import (
	"context"
	_ "embed"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

//go:embed pkgen.lock
var lock string

// Shape is a type of the simulation.
type Shape struct {
	Name       string
	Features   []string
	Containers []azcosmos.ContainerProperties // which are there when a run begins
	Lock       string                         // the text of the pkgen.lock of its package
	Stages     []Stage                        // of a run, one after the other
	Index      *Index                         // of the first container; nil if it has none

	// Moves says that documents move, and get another ETag.
	Moves bool
	// Lag is how old the result of a query is at most, compared with a point read.
	Lag time.Duration
	// Pause is how long a program rests at most between two operations.
	Pause time.Duration
	// Patience is how long Maintain of a stage runs at most.
	Patience time.Duration
}

// Stage is a part of a run.
type Stage struct {
	// Programs run side by side.
	Programs []Opens
	// Forms are the forms of documents that the programs write, where these are of two releases;
	// nil where they are of one.
	Forms []int
	// Apart says that programs of different releases must not create one document: until both
	// creations have returned, it may be stored under two keys, and reads and writes find either,
	// as docs/keys.md tells. The model has one state for each document. All orders of the requests
	// of two creations are in TestMovesInAnyOrder of package write.
	Apart bool
	// Maintain moves documents until its context ends, or makes a container. A random number
	// decides which. It is nil if there is nothing to do.
	Maintain func(ctx context.Context, db *azcosmos.DatabaseClient, n int) error
	// Settle ends after the stage what Maintain has begun. It returns false if a call a day
	// later has more to do. It is nil if there is nothing to do.
	Settle func(ctx context.Context, db *azcosmos.DatabaseClient) (done bool, err error)
}

// Opens returns the documents of a database, as a program of one release has them.
type Opens func(db *azcosmos.DatabaseClient, o ...repository.Option) Store

// Alone is the only stage of documents that do not move.
func Alone(programs ...Opens) []Stage { return []Stage{{Programs: programs}} }

// Maintained reports whether there is something to maintain in a stage.
func (s Shape) Maintained() bool {
	for _, stage := range s.Stages {
		if stage.Maintain != nil {
			return true
		}
	}
	return false
}

// Months is how many months there are that documents are of.
const Months = 4

// Month returns the beginning of a month.
func Month(n int) time.Time { return time.Date(2024, time.Month(1+n), 1, 0, 0, 0, 0, time.UTC) }

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

package target

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// Again returns the error of an interrupted run. GoesOn is set if another run resumes it.
func Again(goesOn bool) error {
	if goesOn {
		return errors.New("interrupted: run the command again to resume")
	}
	return errors.New("interrupted: run the command again to start over")
}

// Place holds the flags for a container: its id, and its database if several have it.
type Place struct{ Container, Database *string }

// NewPlace declares the flags. Usage describes the container.
func NewPlace(flags *flag.FlagSet, usage string) Place {
	return Place{flags.String("container", "", usage), NewDatabase(flags)}
}

// NewDatabase declares only the flag of a database.
func NewDatabase(flags *flag.FlagSet) *string {
	return flags.String("database", "", "the database with this `id`, if several have the container")
}

// Needed returns an error if no container is given.
func (p Place) Needed(command string) error {
	if *p.Container == "" {
		return fmt.Errorf("%s needs a container: name it by -container", command)
	}
	return nil
}

// Find finds the container, whose id may begin with its database and a slash.
func (p Place) Find(ctx context.Context, a *account.Account) (*account.Container, error) {
	if *p.Database == "" {
		return FindContainer(ctx, a, *p.Container)
	}
	return a.Find(ctx, *p.Database, *p.Container)
}

// NewBudget declares the flag of a rate of request units.
func NewBudget(flags *flag.FlagSet) *float64 {
	return flags.Float64("budget", 0, "spend at most this many `RU/s`; 0 for no limit")
}

// NewLimit declares the flag of the request units that reading a container may cost.
func NewLimit(flags *flag.FlagSet) *float64 {
	return flags.Float64("limit", 0, "spend at most this many `RU` per container; 0: no limit")
}

// CheckBudget refuses a negative rate, and NaN.
func CheckBudget(budget float64) error {
	if !(budget >= 0) {
		return errors.New("-budget is negative: give a number of RU/s, or 0 for no limit")
	}
	return nil
}

// FindContainer finds a container by its id, or by its database and id.
func FindContainer(ctx context.Context, a *account.Account, name string) (*account.Container, error) {
	database, id, both := strings.Cut(name, "/")
	if !both {
		database, id = "", name
	}
	return a.Find(ctx, database, id)
}

// OpenAccount opens the account in the environment.
func OpenAccount() (*account.Account, error) {
	if connection := os.Getenv("COSMOS_CONNECTION_STRING"); connection != "" {
		return account.Open(connection)
	}
	if endpoint := os.Getenv("COSMOS_ENDPOINT"); endpoint != "" {
		token := os.Getenv("COSMOS_ACCESS_TOKEN")
		credential, err := azidentity.NewDefaultAzureCredential(nil)
		switch {
		case err == nil:
			return account.OpenToken(endpoint, token, credential)
		case token != "":
			return account.OpenToken(endpoint, token, nil)
		}
		return nil, err
	}
	return nil, errors.New("no account: set COSMOS_CONNECTION_STRING, or COSMOS_ENDPOINT for Azure identity: az login, a managed identity, or a token in COSMOS_ACCESS_TOKEN")
}

// SamplingOf returns how much of a container to read, from flags: a percentage, a budget in RU, a
// rate in RU/s, and the seed of the sample, 0 for a new one.
func SamplingOf(percentage, budget, rate float64, seed uint64) (account.Sampling, error) {
	if !(percentage > 0 && percentage <= 100 && budget >= 0 && rate >= 0) {
		return account.Sampling{}, errors.New("-sample must be a percentage above 0, and -limit and -budget must not be negative: correct the flags")
	}
	if seed == 0 {
		seed = rand.Uint64()
	}
	return account.Sampling{Share: percentage / 100, Budget: budget, Rand: rand.New(rand.NewPCG(seed, 0))}, nil
}

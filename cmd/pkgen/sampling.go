package main

import (
	"errors"
	"math/rand/v2"
	"os"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// openAccount opens the account that the environment names.
func openAccount() (*account.Account, error) {
	if connection := os.Getenv("COSMOS_CONNECTION_STRING"); connection != "" {
		return account.Open(connection)
	}
	if endpoint := os.Getenv("COSMOS_ENDPOINT"); endpoint != "" {
		return account.OpenToken(endpoint, os.Getenv("COSMOS_ACCESS_TOKEN"))
	}
	return nil, errors.New("no account: set COSMOS_CONNECTION_STRING, or COSMOS_ENDPOINT for Azure identity, by the command az or a token in COSMOS_ACCESS_TOKEN")
}

// samplingOf returns how much of a container is read, by flags: a percentage, a budget
// in RU, a rate in RU/s, and the number that chooses the sample, 0 for a new one.
func samplingOf(percentage, budget, rate float64, seed uint64) (account.Sampling, error) {
	if !(percentage > 0 && percentage <= 100 && budget >= 0 && rate >= 0) {
		return account.Sampling{}, errors.New("-sample is a percentage above 0, and -budget and -rate are not negative: mend the flags")
	}
	if seed == 0 {
		seed = rand.Uint64()
	}
	return account.Sampling{Share: percentage / 100, Budget: budget, Rand: rand.New(rand.NewPCG(seed, 0))}, nil
}

package kit

import (
	"github.com/cosmos-pkgen/pkgen/repository"
)

const (
	ThingA repository.Number[Thing, float64] = "/a"
	ThingB repository.Number[Thing, float64] = "/b"
)

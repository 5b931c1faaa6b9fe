package ferretdb

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/mongo"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, Face(func(t *testing.T) *mongo.Database { return open(t, nil) }))
}

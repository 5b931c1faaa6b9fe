package function

import (
	"math"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// Metric says how two vectors are compared.
type Metric string

// The metrics, as policies write them.
const (
	Cosine     Metric = "cosine"     // from -1 to 1, the greatest is the nearest
	DotProduct Metric = "dotproduct" // the greatest is the nearest
	Euclidean  Metric = "euclidean"  // from 0, the least is the nearest
)

// MetricOf reads the name of a metric, in any case.
func MetricOf(name string) (Metric, bool) {
	switch m := Metric(strings.ToLower(name)); m {
	case Cosine, DotProduct, Euclidean:
		return m, true
	}
	return "", false
}

// Descending reports whether the greatest value is the nearest.
func (m Metric) Descending() bool { return m != Euclidean }

// Of compares two vectors. It returns undefined unless both are arrays of equally many
// numbers, and for a cosine with a vector of length 0.
func (m Metric) Of(a, b value.Value) value.Value {
	if a.Kind() != value.Array || b.Kind() != value.Array || a.Len() != b.Len() || a.Len() == 0 {
		return value.Value{}
	}
	var product, first, second, apart float64
	others := b.Items()
	for i, item := range a.Items() {
		if item.Kind() != value.Number || others[i].Kind() != value.Number {
			return value.Value{}
		}
		x, y := item.Float(), others[i].Float()
		product += x * y
		first += x * x
		second += y * y
		apart += (x - y) * (x - y)
	}
	switch {
	case m == Euclidean:
		return value.OfFloat(math.Sqrt(apart))
	case m == DotProduct:
		return value.OfFloat(product)
	case first == 0 || second == 0:
		return value.Value{}
	}
	return value.OfFloat(product / math.Sqrt(first) / math.Sqrt(second))
}

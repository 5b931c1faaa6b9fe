package flat

import (
	"math"
	"reflect"
	"testing"
	"time"
)

// scalarOf is a value for SetScalar, and false for one that it does not have.
func scalarOf(value any) (Scalar, bool) {
	switch v := value.(type) {
	case string:
		return Scalar{Kind: Text, Text: v}, true
	case bool:
		return Scalar{Kind: Bool, Bool: v}, true
	case int64:
		return Scalar{Kind: Int64, Int: v}, true
	case float64:
		return Scalar{Kind: Float, Float: v}, true
	case time.Time:
		return Scalar{Kind: Time, Time: v}, true
	}
	return Scalar{}, false
}

// TestSetScalar sets every property to every kind of value, by Set and by SetScalar, which
// have one result.
func TestSetScalar(t *testing.T) {
	s := shape[all](t)
	values := []any{
		"text", "AAE=", "2024-01-02T03:04:05Z", "yesterday", "::1", true, false, int64(0), int64(-4), int64(1 << 40), int64(math.MinInt64),
		0.0, 12.0, 1.5, math.Inf(1), time.Date(2024, 1, 2, 3, 4, 5, 600, time.UTC),
	}
	for _, v := range s.Values(full()) {
		if _, ok := scalarOf(v); ok {
			values = append(values, v)
		}
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		for _, v := range values {
			var by, scalar all
			value, _ := scalarOf(v)
			want, got := s.Set(&by, p.Name, v), s.SetScalar(&scalar, p, value)
			if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
				t.Errorf("%s = %v: %v, want %v", p.Name, v, got, want)
			}
			if want == nil && !reflect.DeepEqual(by, scalar) {
				t.Errorf("%s = %v: %+v, want %+v", p.Name, v, scalar, by)
			}
		}
	}
}

package gremlin

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// The form of times: UTC and seven digits of a second, all of the same width, so that texts
// sort like times.
const (
	timeTick   = 100 * time.Nanosecond
	timeLayout = "2006-01-02T15:04:05.0000000Z"
)

// maxExact is 2^53: every smaller integer is a distinct float64.
const maxExact = 1 << 53

var (
	errTick  = errors.New("a time is stored with 100 ns: round it by Truncate(100 * time.Nanosecond)")
	errExact = errors.New("the number is beyond 2^53, where the service treats neighbours as equal: store it as a text, and compare that")
)

// timeText returns the stored text of a time.
func timeText(t time.Time) (string, error) {
	t = t.UTC()
	switch {
	case t.Year() < 0 || t.Year() > 9999:
		return "", failure.ErrFarYear
	case t.Nanosecond()%int(timeTick) != 0:
		return "", errTick
	}
	return t.Format(timeLayout), nil
}

// binding converts a Go value to one of the protocol.
func binding(v any) (any, error) {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return nil, failure.ErrNotUTF8
		}
		return v, nil
	case []string:
		for _, text := range v {
			if !utf8.ValidString(text) {
				return nil, failure.ErrNotUTF8
			}
		}
		return v, nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = binding(v[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	case bool, int64:
		return v, nil
	case int32:
		return int64(v), nil
	case int:
		return int64(v), nil
	case uint64:
		if v > math.MaxInt64 {
			return nil, errors.New("the number is greater than the greatest int64: store it as a text")
		}
		return int64(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, failure.ErrNotFinite
		}
		return v, nil
	case time.Time:
		return timeText(v)
	}
	return nil, fmt.Errorf("a %T cannot be sent: use a text, a bool, a number or a time", v)
}

// operand is binding for a value in a comparison with properties.
func operand(v any) (any, error) {
	switch n := v.(type) {
	case int64:
		if n > maxExact || n < -maxExact {
			return nil, errExact
		}
	case uint64:
		if n > maxExact {
			return nil, errExact
		}
	}
	return binding(v)
}

// stored returns the JSON of a property in the form of package flat.
func stored(kind flat.Kind, value []byte) (s flat.Scalar, err error) {
	switch {
	case len(value) == 0:
	case value[0] == '"':
		text, ok := jsonscan.Text(value)
		if !ok {
			return s, errors.New("the stored value is not JSON")
		}
		if kind != flat.Time {
			return flat.Scalar{Kind: flat.Text, Text: text}, nil
		}
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return s, errors.New("the stored text is not a time")
		}
		return flat.Scalar{Kind: flat.Time, Time: t.UTC()}, nil
	case string(value) == "true", string(value) == "false":
		return flat.Scalar{Kind: flat.Bool, Bool: value[0] == 't'}, nil
	case value[0] == '-' || '0' <= value[0] && value[0] <= '9':
		if kind == flat.Int32 || kind == flat.Int64 {
			if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
				return flat.Scalar{Kind: flat.Int64, Int: n}, nil
			}
		}
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return s, errors.New("the stored number is not a float64")
		}
		return flat.Scalar{Kind: flat.Float, Float: f}, nil
	}
	return s, errors.New("the stored value is not a text, a bool or a number")
}

package usage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
)

// record is one result of a meter, the JSON of tenancy.Usage.
type record struct {
	From         time.Time `json:"from"`
	To           time.Time `json:"to"`
	RequestUnits float64   `json:"requestUnits"`
	Unscoped     float64   `json:"unscoped"`
	Forgotten    float64   `json:"forgotten"`
	Tenants      []tenant  `json:"tenants"`
}

type tenant struct {
	Tenant       string  `json:"tenant"`
	Container    string  `json:"container"`
	RequestUnits float64 `json:"requestUnits"`
	Error        float64 `json:"error"`
	Requests     int64   `json:"requests"`
	Throttled    int64   `json:"throttled"`
	Peak         float64 `json:"peakRequestUnitsPerSecond"`
}

// mostFigures is the maximum number of tenants' figures in a file: more would take gigabytes.
const mostFigures = 5_000_000

// Read reads the results of meters, one object after the other, adds them up, and judges tenants.
func Read(r io.Reader) (*analyze.Used, error) {
	records, err := parse(r)
	if err != nil {
		return nil, err
	}
	return report(records), nil
}

// parse parses the results of meters.
func parse(r io.Reader) ([]record, error) {
	var all []record
	figures := 0
	for decoder := json.NewDecoder(r); ; {
		var one record
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("object %d was not written by a tenancy.Meter: %w", len(all)+1, err)
		}
		if problem := one.problem(); problem != "" {
			return nil, fmt.Errorf("object %d was not written by a tenancy.Meter: %s", len(all)+1, problem)
		}
		if figures += len(one.Tenants); figures > mostFigures {
			return nil, fmt.Errorf("the file has more than %d figures of tenants: divide it, for example by month", mostFigures)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, errors.New("the file is empty: write what Take of a tenancy.Meter returns into it, as JSON")
	}
	return all, nil
}

// problem returns why a record is invalid, or "".
func (r record) problem() string {
	switch {
	case r.From.IsZero() || r.To.IsZero():
		return "it has no times from and to"
	case r.To.Before(r.From):
		return "it ends before it begins"
	case r.Tenants == nil:
		return "it has no tenants"
	case !isAmount(r.RequestUnits) || !isAmount(r.Unscoped) || !isAmount(r.Forgotten):
		return "its request units are not an amount"
	}
	for i, t := range r.Tenants {
		switch {
		case t.Tenant == "":
			return fmt.Sprintf("tenant %d has no name", i+1)
		case !isAmount(t.RequestUnits) || !isAmount(t.Error) || !isAmount(t.Peak) || t.Requests < 0 || t.Throttled < 0:
			return fmt.Sprintf("a figure of tenant %d is not an amount", i+1)
		}
	}
	return ""
}

// isAmount reports whether f may be an amount of request units.
func isAmount(f float64) bool { return f >= 0 && f < math.MaxInt64 }

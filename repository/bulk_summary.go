package repository

import (
	"errors"
	"fmt"
	"iter"
)

// Summary is what became of the items of a bulk operation together.
type Summary struct {
	// Items is how many there were, and Failed how many of them failed.
	Items, Failed int

	// Unclear is how many of those that failed may have taken effect all the same:
	// their errors match ErrUnclear.
	Unclear int

	// RequestUnits is the sum of what they were charged.
	RequestUnits float64
}

// maxSummarized is how many failures the error of Summarize has.
const maxSummarized = 10

// Summarize runs a bulk operation to its end and adds up the outcomes. If items
// failed, the error says how many, and wraps the errors of the first ten, each
// with its index.
func Summarize[I any](outcomes iter.Seq[Outcome[I]]) (Summary, error) {
	var s Summary
	var failures []error
	for o := range outcomes {
		s.Items++
		s.RequestUnits += o.RequestUnits
		if o.Err == nil {
			continue
		}
		s.Failed++
		if errors.Is(o.Err, ErrUnclear) {
			s.Unclear++
		}
		if len(failures) < maxSummarized {
			failures = append(failures, fmt.Errorf("item %d: %w", o.Index, o.Err))
		}
	}
	if s.Failed == 0 {
		return s, nil
	}
	which := ""
	if s.Failed > maxSummarized {
		which = fmt.Sprintf(", of which the first %d", maxSummarized)
	}
	return s, fmt.Errorf("%d of %d items failed%s:\n%w", s.Failed, s.Items, which, errors.Join(failures...))
}

package account

import (
	"context"
	"math"
)

// How a container is divided into windows.
const (
	mostWindows  = 4096 // that [Windows] makes
	fewWindows   = 8    // fewer tell nothing of the error
	manyWindows  = 512  // that are read at most without a budget
	windowAtBest = 250  // documents: then the costs of requests are a small part of the whole
	budgetParts  = 16   // a budget is for so many windows at least, if it is not tiny
)

// divide returns how many windows are read, out of how many. 1 of 1 is the whole
// container, which has so many documents, bytes and physical partitions.
func (s Sampling) divide(documents, bytes int64, ranges int) (n, of int) {
	content := costKB * float64(bytes) / 1024
	whole := costRequest*max(float64(ranges), float64(documents)/pageSize) + content
	if s.Budget > 0 {
		if s.Share >= 1 && 4*whole <= s.Budget { // the cost is known roughly
			return 1, 1
		}
		dear := max(min(s.Budget, s.Share*whole)/budgetParts, 2*costRequest) // of one window
		of = int(min(max(math.Ceil(content/(dear-costRequest)), fewWindows), mostWindows))
		return s.number(of), of
	}
	if s.Share >= 1 {
		return 1, 1
	}
	n = int(min(max(s.Share*float64(documents)/windowAtBest, fewWindows), manyWindows))
	if whole <= costRequest*float64(n)+s.Share*content {
		return 1, 1
	}
	of = int(min(math.Round(float64(n)/s.Share), mostWindows))
	return s.number(of), of
}

// number returns how many windows of several the share is: one or more.
func (s Sampling) number(of int) int {
	return min(max(int(math.Round(s.Share*float64(of))), 1), of)
}

// size returns how many documents and bytes the container has, about. If the service
// does not say it, size reads single windows, the next one wider until a few documents
// are in it. They are not part of the sample, which would prefer windows with much.
func (s *sampling) size(ctx context.Context) (documents, bytes int64, err error) {
	st := s.sample.Statistics
	switch {
	case st.Documents >= 0 && st.Bytes >= 0:
		return st.Documents, st.Bytes, nil
	case st.Documents >= 0:
		return st.Documents, st.Documents * 1024, nil
	case s.Share >= 1 && s.Budget <= 0:
		return 0, 0, nil // all of it is read, whatever that is
	}
	const enough = 20
	s.pilot = true
	defer func() { s.pilot = false }()
	for of := int64(512); of >= 8; of /= 8 {
		s.window = 0
		all := Windows(int(of))
		complete, err := s.reader.read(ctx, all[s.Rand.IntN(len(all))])
		if err != nil {
			return 0, 0, err
		}
		documents = s.window * of
		if s.window >= enough || !complete {
			break
		}
	}
	return documents, documents * 1024, nil
}

// Estimate is what a sample says of the container.
type Estimate struct {
	// Documents is the mean of the windows times their number. Error is that of a
	// confidence of 95%: the standard error of this estimator, for simple random sampling
	// of clusters without replacement, by Student's t, since windows may be few (Cochran,
	// Sampling Techniques, 3rd edition, chapters 2 and 9A). Windows are the clusters.
	//
	// The confidence is less if few logical partitions have most of the documents: windows
	// that miss them are alike, and their error is small.
	Documents float64 `json:"documents"`
	Error     float64 `json:"error"`
}

// estimate returns the number of documents in all windows, by the counts of some. It
// is nil if one window says nothing of the others.
func estimate(counts []int64, of int) *Estimate {
	n := float64(len(counts))
	if n < 2 && n < float64(of) {
		return nil
	}
	sum := 0.0
	for _, c := range counts {
		sum += float64(c)
	}
	mean, squares := sum/n, 0.0
	for _, c := range counts {
		squares += (float64(c) - mean) * (float64(c) - mean)
	}
	e := &Estimate{Documents: mean * float64(of)}
	if len(counts) < of {
		variance := squares / (n - 1)
		e.Error = student(len(counts)-1) * float64(of) * math.Sqrt((1-n/float64(of))*variance/n)
	}
	return e
}

// students are the 97.5th percentiles of Student's t by degrees of freedom, from 1.
var students = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}

// student returns the 97.5th percentile of Student's t, to three digits: the first terms
// of the expansion by the normal percentile (Abramowitz and Stegun, 26.7.5).
func student(freedom int) float64 {
	if freedom <= len(students) {
		return students[freedom-1]
	}
	f := float64(freedom)
	return 1.960 + 2.372/f + 2.823/(f*f)
}

package account

import (
	"context"
	"math"
)

// Limits for dividing a container into windows.
const (
	mostWindows  = 4096 // the most that [Windows] makes
	fewWindows   = 8    // with fewer, the error cannot be estimated
	manyWindows  = 512  // the most that are read without a budget
	windowAtBest = 250  // documents per window, so that the cost of requests is a small part of the total
	budgetParts  = 16   // a budget pays for at least this many windows, unless it is tiny
)

// divide returns how many windows to read, and how many there are. 1 of 1 is the whole container.
// Documents, bytes and ranges describe the container.
func (s Sampling) divide(documents, bytes int64, ranges int) (n, of int) {
	content := costKB * float64(bytes) / 1024
	whole := costRequest*max(float64(ranges), float64(documents)/pageSize) + content
	if s.Budget > 0 {
		if s.Share >= 1 && 4*whole <= s.Budget { // the cost is only an estimate
			return 1, 1
		}
		dear := max(min(s.Budget, s.Share*whole)/budgetParts, 2*costRequest) // the cost of one window
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

// number returns how many of a number of windows make up the share, at least one.
func (s Sampling) number(of int) int {
	return min(max(int(math.Round(s.Share*float64(of))), 1), of)
}

// size returns the approximate number of documents and bytes of the container. If the service does
// not report them, size reads single windows, each wider than the last, until one has a few
// documents. These windows are not part of the sample, because the stopping rule favours dense
// ones.
func (s *sampling) size(ctx context.Context) (documents, bytes int64, err error) {
	st := s.sample.Statistics
	switch {
	case st.Documents >= 0 && st.Bytes >= 0:
		return st.Documents, st.Bytes, nil
	case st.Documents >= 0:
		return st.Documents, st.Documents * 1024, nil
	case s.Share >= 1 && s.Budget <= 0:
		return 0, 0, nil // everything is read, regardless of size
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

// estimate returns the number of documents in all windows, from the counts of some. It returns nil
// if it has only one count.
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

// student returns the 97.5th percentile of Student's t, to three digits: the first terms of the
// expansion by the normal percentile (Abramowitz and Stegun, 26.7.5).
func student(freedom int) float64 {
	if freedom <= len(students) {
		return students[freedom-1]
	}
	f := float64(freedom)
	return 1.960 + 2.372/f + 2.823/(f*f)
}

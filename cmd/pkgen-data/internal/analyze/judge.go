package analyze

import (
	"fmt"
	"math"
)

// Limits are a team's limits for its keys.
type Limits struct {
	// MaxShare is the maximum share of the documents of one key; 0 is no limit.
	MaxShare float64
	// MaxPartition is the maximum size of a logical partition in bytes; 0 is no limit.
	MaxPartition int64
}

// The thresholds of findings. docs/analyze.md says where they come from.
const (
	mostHotShare    = 0.5  // of the writes of an interval, for an error
	fewestKeys      = 10   // per physical partition
	monotonic       = 0.7  // rank correlation
	mostBuckets     = 100  // per physical partition
	mostScattered   = 0.1  // of the calls
	nearlyFull      = 0.7  // of 20 GB
	evenly          = 0.5  // of the used physical partitions
	mostlyOneKey    = 0.9  // of the busiest physical partition, which others then cannot relieve
	soonFull        = 365  // days
	bytesOfGB       = 1e9  // decimal, as in 20 GB
	wholePercentage = 0.10 // from here on percentages have no decimals
)

// Judge sets the findings of each layout and index, and the recommendation. Call it again after
// setting the cost of reads.
func (r *Report) Judge(limits Limits) {
	for _, l := range r.Layouts {
		l.judge(r, limits)
		l.judgeReads()
		l.judgeKeyless("generated code refuses these documents, so correct them, or choose properties that all documents have")
		l.judgeCertainty(r)
	}
	for _, x := range r.Indexes {
		x.judge(r, limits)
	}
	r.Recommendation = r.recommend()
}

// judge replaces the findings about keys, of a container or of an index.
func (l *Layout) judge(r *Report, limits Limits) {
	l.Findings = []Finding{}
	l.overShare = l.exceedsShare(limits)
	l.judgeKeys(r, limits)
	l.judgeSpread()
	l.judgeSize(r, limits)
}

// found adds a finding.
func (l *Layout) found(name string, severity Severity, format string, args ...any) {
	l.Findings = append(l.Findings, Finding{name, severity, fmt.Sprintf(format, args...)})
}

// Has reports whether the layout has a finding with a name.
func (l *Layout) Has(name string) bool {
	for _, f := range l.Findings {
		if f.Name == name {
			return true
		}
	}
	return false
}

// Exceeds reports whether a key of the layout exceeds the limits.
func (l *Layout) Exceeds(limits Limits) bool {
	return l.exceedsShare(limits) || limits.MaxPartition > 0 && l.Biggest != nil && l.Biggest.Bytes > limits.MaxPartition
}

func (l *Layout) exceedsShare(limits Limits) bool {
	return limits.MaxShare > 0 && len(l.Largest) > 0 && l.Largest[0].Share > limits.MaxShare
}

// Judged returns the share of an interval's writes that go to its busiest key, and the name of the
// interval: the shortest one with 100 documents on average in the intervals examined, or the whole
// sample.
func (l *Layout) Judged() (share float64, of string) {
	for _, h := range l.Hot {
		if h.Telling() {
			return h.Share, h.Interval
		}
	}
	if len(l.Largest) == 0 {
		return 0, "sample"
	}
	return l.Largest[0].Share, "sample"
}

// judgeKeys finds keys with too many of the writes, and too few keys.
func (l *Layout) judgeKeys(r *Report, limits Limits) {
	if l.Documents == 0 {
		return
	}
	fewest := l.decisive().Physical
	share, of := l.Judged()
	limit := 1.0
	if fewest > 0 {
		limit = 1 / float64(fewest)
	}
	hot := share > limit && l.Documents >= documentsForEach
	if hot {
		severity := Warning
		if share > mostHotShare {
			severity = Bad
		}
		l.found(HotKeyFound, severity, "the busiest key of %s takes %s of its writes, so the layout writes to at most %.1f of %d physical partitions: "+
			"add buckets, or a component that differs between documents of the same time", Article(of), percent(share), 1/share, fewest)
	}
	if l.overShare {
		l.found(HotKeyFound, Bad, "key %s has %s of the documents, and at most %s are allowed: add a component, or buckets", ShortKey(l.Largest[0].Key), percent(l.Largest[0].Share), percent(limits.MaxShare))
	}
	switch n := l.LogicalPartitions; {
	case l.Documents < int64(documentsForEach*fewest):
		l.found(Approximate, Note, "the sample has %s, too few to judge the number of keys for %d physical partitions: take at least %d", count(l.Documents, "document"), fewest, documentsForEach*fewest)
	case fewest > 0 && n < int64(fewest):
		l.found(LowCardinality, Bad, "%s cannot use %d physical partitions: choose a property with more values, or add buckets", count(n, "logical partition"), fewest)
	case fewest > 0 && n < int64(fewestKeys*fewest):
		l.found(LowCardinality, Warning, "%s spread unevenly over %d physical partitions, and %d or more would spread well: choose a property with more values, or add buckets",
			count(n, "logical partition"), fewest, fewestKeys*fewest)
	}
	if rho := l.Monotonicity; rho != nil && math.Abs(*rho) >= monotonic && hot {
		l.found(MonotonicKey, Warning, "keys follow %s (rank correlation %.2f), and one of them takes most writes of its time: a date or a counter makes one key at a time, so add a component that differs, or buckets",
			orderName(r), *rho)
	}
}

// orderName names the order with which keys are correlated.
func orderName(r *Report) string {
	if r.Times == nil {
		return "the order of the sample"
	}
	return "the time " + r.Times.Property
}

// hotRange reports whether fewer than half of the physical partitions are used, how many are, and
// when.
func (l *Layout) hotRange(s *Spread) (used float64, when string, hot bool) {
	used, when = s.used(), "over the whole sample"
	if used < s.Effective {
		when = "in the median interval of time"
	}
	return used, when, s.Physical > 1 && l.Documents >= int64(documentsForEach*s.Physical) && used < evenly*float64(s.Physical)
}

// judgeSpread finds overloaded physical partitions.
func (l *Layout) judgeSpread() {
	for _, s := range l.Partitions {
		s.Divided = l.divided(s)
	}
	for _, s := range l.Partitions {
		used, when, hot := l.hotRange(s)
		if !hot {
			continue
		}
		advice := "use more keys at a time"
		switch share, _ := l.Judged(); {
		case s.Divided > 0:
			advice = fmt.Sprintf("a first level stays on one physical partition until the service divides it beyond 50 GB, and then up to %.1f are used; to spread at once, put a property with more values first", s.Divided)
		case l.hierarchical():
			advice = "a first level stays on one physical partition until the service divides the range, so put a property with more values first"
		case share*used >= mostlyOneKey:
			advice += ", and more physical partitions do not help"
		}
		l.found(HotRange, Warning, "the busiest of %d physical partitions takes %s of the writes %s, so %.1f of them are used, and %.0f documents per second can be written: "+
			"%s", s.Physical, percent(1/used), when, used, sustainable(used, l.WriteRU), advice)
		return
	}
}

// judgeSize finds logical partitions that are too large, and unsuitable numbers of buckets.
func (l *Layout) judgeSize(r *Report, limits Limits) {
	if b := l.Biggest; b != nil {
		switch {
		case limits.MaxPartition > 0 && b.Bytes > limits.MaxPartition:
			l.found(Near20GB, Bad, "key %s has %s, and -max-partition allows %s: add a component, such as the month, or a level", ShortKey(b.Key), Size(b.Bytes), Size(limits.MaxPartition))
		case b.Bytes >= nearlyFull*MostBytesOfKey:
			l.found(Near20GB, Bad, "key %s has %s, and the service refuses writes beyond 20 GB: add a component, such as the month, or a level", ShortKey(b.Key), Size(b.Bytes))
		case b.Full != nil && r.Times != nil && b.Full.Before(r.Times.To.AddDate(0, 0, soonFull)):
			l.found(Near20GB, Warning, "key %s grows by %s per day and reaches 20 GB on %s, when the service refuses writes: add a component, such as the month, or a level",
				ShortKey(b.Key), Size(b.BytesPerDay), b.Full.Format("2006-01-02"))
		}
	}
	if most := l.mostPartitions(); most > 0 && l.Fan > mostBuckets*most {
		l.found(TooManyBuckets, Note, "%d buckets for %d physical partitions are too many: each read of one base queries all of them, and %d would spread as well", l.Fan, most, mostBuckets*most)
	}
	if n := l.Collisions.Documents; n > 0 {
		l.found(Colliding, Bad, "%s the key of a document with other components, such as %s on line %d: use a separator that no component contains, or escape the components",
			count(n, "document")+has(n), ShortKey(l.Collisions.Examples[0].Key), l.Collisions.Examples[0].Line)
	}
}

// judgeReads finds reads that query all physical partitions.
func (l *Layout) judgeReads() {
	if l.Reads != nil && l.Reads.All > mostScattered && l.Reads.Partitions > 1 {
		l.found(ScatterReads, Warning, "%s of the calls query all %d physical partitions: put a property that they know into the key, or use fewer buckets", percent(l.Reads.All), l.Reads.Partitions)
	}
}

// judgeKeyless finds documents without a key. Follows is a sentence with the consequence and
// advice.
func (l *Layout) judgeKeyless(follows string) {
	var n int64
	for _, k := range l.Keyless {
		n += k.Documents
	}
	if n == 0 {
		return
	}
	severity := Warning
	if l.Documents == 0 {
		severity = Bad
	}
	l.found(NoKey, severity, "%s no key, and %d%s one: %s", count(n, "document")+has(n), l.Documents, has(l.Documents), follows)
}

// judgeCertainty names the figures that are not exact.
func (l *Layout) judgeCertainty(r *Report) {
	if l.LogicalPartitionsError > 0 {
		l.found(Approximate, Note, "there are too many keys to count each: the number of logical partitions has a standard error of %.1f%%, and the documents of a key may be %d too few",
			100*l.LogicalPartitionsError, l.CountError)
	}
	if r.Sample.Share < 1 || r.Sample.Stopped {
		text := fmt.Sprintf("the figures come from %s of the source", percent(r.Sample.Share))
		if r.Sample.Error != "" {
			text += ": " + r.Sample.Error
		}
		l.found(Approximate, Note, "%s", text)
	}
}

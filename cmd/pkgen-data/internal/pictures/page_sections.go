package pictures

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// compared shows the layouts side by side.
func compared(r *analyze.Report) report.Section {
	s := report.Section{Title: "Candidates"}
	if len(r.Layouts) == 0 {
		return s
	}
	if len(r.Layouts) == 1 {
		s.Title = "Load"
	}
	t := report.Table{
		Title: "Layouts", Text: 1,
		Columns: []string{"layout", "logical partitions", "largest key", "busiest key of a minute, hour, day", "monotonicity", "RU a write"},
	}
	for _, l := range r.Layouts {
		largest := "–"
		if len(l.Largest) > 0 {
			largest = sized(l.Largest[0].Share)
		}
		name := l.Layout
		if l.Current {
			name += " (the lock's)"
		}
		t.Rows = append(t.Rows, []string{name, approximate(l), largest, hottest(l), rho(l.Monotonicity), report.Number(l.WriteRU)})
	}
	s.Blocks = append(s.Blocks, t)
	if b := sustainable(r); b != nil {
		shows(&s, b)
	}
	if b := used(r); b != nil {
		shows(&s, b)
	}
	if c := load(r); c != nil {
		shows(&s, c)
	}
	if c := sorted(r); c != nil {
		shows(&s, c)
	}
	if c := keys(r); c != nil {
		shows(&s, c)
	}
	return s
}

// hottest returns the busiest key's share of the writes of a minute, an hour and a day, or "–" if
// the intervals have too few documents.
func hottest(l *analyze.Layout) string {
	var all []string
	for _, h := range l.Hot {
		share := "–"
		if h.Telling() {
			share = sized(h.Share)
		}
		all = append(all, share)
	}
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, ", ")
}

// layout has the charts and tables of one layout.
func layout(r *analyze.Report, l *analyze.Layout) report.Section {
	s := report.Section{Title: l.Layout}
	if h := byPartition(r, l); h != nil {
		shows(&s, h)
	}
	if h := byRange(r, l); h != nil {
		shows(&s, h)
	}
	t := report.Table{
		Title: "Spread over physical partitions", Columns: []string{"", "used, whole sample", "used, median", "used, worst", "busiest share", "writes sustained, documents/s"},
	}
	for _, p := range l.Partitions {
		median, worst := "–", "–"
		if p.ByTime != nil && p.ByTime.Intervals > 0 {
			median, worst = report.Number(p.ByTime.Median), report.Number(p.ByTime.Worst)
		}
		t.Rows = append(t.Rows, []string{partitions(p), report.Number(p.Effective), median, worst, sized(p.BusiestShare), report.Number(writes(p))})
	}
	keys := report.Table{Title: "The largest logical partitions", Columns: []string{"key", "documents", "share", "size"}}
	for _, k := range l.Largest {
		keys.Rows = append(keys.Rows, []string{k.Key, counted(k.Documents), sized(k.Share), size(k.Bytes)})
	}
	if b := l.Biggest; b != nil {
		text := "The key with most bytes is " + analyze.ShortKey(b.Key) + ", with " + size(b.Bytes)
		if b.BytesPerDay > 0 {
			text += ", and grows by " + size(b.BytesPerDay) + " a day"
		}
		if b.Full != nil {
			text += ". At that rate it reaches 20 GB on " + b.Full.UTC().Format("2006-01-02")
		}
		s.Blocks = append(s.Blocks, report.Prose(text+"."))
	}
	keyless := report.Table{Title: "Documents without a key", Columns: []string{"property", "reason", "lines", "documents"}, Text: 3}
	for _, k := range l.Keyless {
		var lines []string
		for _, n := range k.Lines {
			lines = append(lines, report.Number(float64(n)))
		}
		keyless.Rows = append(keyless.Rows, []string{k.Property, k.Reason, strings.Join(lines, " "), counted(k.Documents)})
	}
	tables(&s, t, keys, keyless)
	return s
}

// tables appends tables that have rows.
func tables(s *report.Section, all ...report.Table) {
	for _, t := range all {
		if len(t.Rows) > 0 {
			s.Blocks = append(s.Blocks, t)
		}
	}
}

// reads shows the cost of reads.
func reads(r *analyze.Report) report.Section {
	s := report.Section{Title: "Reads"}
	if b := readCosts(r); b != nil {
		shows(&s, b)
	}
	if c := readsByBuckets(r); c != nil {
		shows(&s, c)
	}
	if b := touched(r); b != nil {
		shows(&s, b)
	}
	for _, l := range r.Layouts {
		if l.Reads == nil {
			continue
		}
		t := report.Table{Title: "Calls under " + l.Layout, Columns: []string{"method", "calls a second", "requests a call", "RU a call", "physical partitions"}}
		for _, m := range l.Reads.Methods {
			t.Rows = append(t.Rows, []string{m.Method, report.Number(m.Calls), report.Number(m.Requests), report.Number(m.RequestUnits), report.Number(float64(m.Partitions))})
		}
		tables(&s, t)
	}
	return s
}

// indexes shows the global secondary indexes, and the cost of calls with them.
func indexes(r *analyze.Report) report.Section {
	s := report.Section{Title: "Indexes"}
	keys := report.Table{Title: "Keys of indexes", Text: 1, Columns: []string{"index", "logical partitions", "largest key", "busiest key of a minute, hour, day", "RU a write"}}
	uses := report.Table{Title: "Calls with an index", Text: 3, Columns: []string{"index", "layout", "verdict", "physical partitions", "RU/s without", "RU/s with", "requests/s without", "requests/s with"}}
	answers := report.Table{Title: "Calls that an index answers", Text: 4, Columns: []string{"index", "layout", "method", "knows", "calls a second", "RU a call, container", "RU a call, index"}}
	for _, x := range r.Indexes {
		s.Blocks = append(s.Blocks, report.Prose(x.Keys.Layout+": "+x.Advice))
		largest := "–"
		if len(x.Keys.Largest) > 0 {
			largest = sized(x.Keys.Largest[0].Share)
		}
		keys.Rows = append(keys.Rows, []string{x.Keys.Layout, approximate(x.Keys), largest, hottest(x.Keys), report.Number(x.Keys.WriteRU)})
		for _, first := range x.Uses {
			for _, u := range append([]*analyze.IndexUse{first}, first.Others...) {
				uses.Rows = append(uses.Rows, []string{x.Keys.Layout, u.Layout, u.Reason, report.Number(float64(u.Partitions)), report.Number(u.Without.RequestUnits), report.Number(u.With.RequestUnits), report.Number(u.Without.Requests), report.Number(u.With.Requests)})
			}
			for _, a := range first.Answers {
				answers.Rows = append(answers.Rows, []string{x.Keys.Layout, first.Layout, a.Method, strings.Join(a.Knows, ", "), report.Number(a.Calls), report.Number(a.Container.RequestUnits), report.Number(a.Index.RequestUnits)})
			}
		}
	}
	tables(&s, keys, uses, answers)
	return s
}

// logged shows Azure's log.
func logged(l *analyze.Logged) report.Section {
	s := report.Section{Title: "The log of request units"}
	s.Blocks = append(s.Blocks, report.Prose(plural(l.Records, "record")+" from "+moment(l.From)+" to "+moment(l.To)+", "+report.Number(l.RequestUnits)+" RU."))
	ranges := &report.Bars{
		Title: "Physical partitions in their busiest minute", Description: "A physical partition provides at most 10,000 RU/s.", Unit: "RU/s",
		Series: []report.Series{{Name: "most in a minute"}}, Limits: []report.Limit{{Name: "a physical partition provides", Value: analyze.ThroughputOfPartition}},
	}
	for _, r := range l.Ranges {
		ranges.Groups = append(ranges.Groups, "partition "+r.Range)
		ranges.Series[0].Values = append(ranges.Series[0].Values, r.PeakRUs)
	}
	if len(ranges.Groups) > 0 {
		shows(&s, ranges)
	}
	t := report.Table{Title: "Keys with most request units", Columns: []string{"key", "partition", "RU", "share", "most of a minute", "most RU/s of a minute"}, Text: 2}
	for _, k := range l.Keys {
		t.Rows = append(t.Rows, []string{k.Key, k.Range, report.Number(k.RequestUnits), sized(k.Share), sized(k.Peak), report.Number(k.PeakRUs)})
	}
	operations := report.Table{Title: "Operations", Columns: []string{"operation", "RU"}}
	for _, o := range l.Operations {
		operations.Rows = append(operations.Rows, []string{o.Operation, report.Number(o.RequestUnits)})
	}
	others := report.Table{Title: "Other layouts", Columns: []string{"layout", "what it would have done"}, Text: 2}
	for _, o := range l.Layouts {
		text := o.Refused
		if text == "" {
			var all []string
			for _, p := range o.Partitions {
				all = append(all, report.Number(p.Effective)+" of "+plural(int64(p.Physical), "physical partition"))
			}
			text = strings.Join(all, ", ") + "; of " + sized(o.Joined) + " of the request units"
		}
		others.Rows = append(others.Rows, []string{o.Layout, text})
	}
	tables(&s, t, operations, others)
	return s
}

// sample shows faults of the sample, and the service's statistics.
func sample(r *analyze.Report) report.Section {
	s := report.Section{Title: "The sample"}
	invalid := report.Table{Title: "Lines without a document", Columns: []string{"line", "reason"}, Text: 2}
	for _, l := range r.InvalidLines {
		invalid.Rows = append(invalid.Rows, []string{report.Number(float64(l.Line)), l.Reason})
	}
	stored := report.Table{Title: "Physical partitions, as the service has them", Columns: []string{"partition", "documents", "size"}, Text: 1}
	for _, p := range r.Sample.Partitions {
		stored.Rows = append(stored.Rows, []string{p.ID, counted(p.Documents), size(p.Bytes)})
	}
	tables(&s, invalid, stored)
	return s
}

// byTenant shows the usage of tenants.
func byTenant(u *analyze.Used) report.Section {
	s := report.Section{Title: "Use by tenant"}
	s.Blocks = append(s.Blocks, report.Prose(plural(int64(u.Known), "tenant")+" from "+moment(u.From)+" to "+moment(u.To)+", "+report.Number(u.RequestUnits)+" RU, including "+report.Number(u.Unscoped)+" RU without a tenant."))
	t := report.Table{Title: "Tenants with most request units", Columns: []string{"tenant", "container", "RU", "share of the container", "RU/s", "most RU/s of a minute", "throttled requests"}, Text: 2}
	for _, one := range u.Tenants {
		t.Rows = append(t.Rows, []string{one.Tenant, one.Container, report.Number(one.RequestUnits), sized(one.Share), report.Number(one.RUs), report.Number(one.PeakRUs), report.Number(float64(one.Throttled))})
	}
	tables(&s, t)
	return s
}

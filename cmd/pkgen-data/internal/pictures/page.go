package pictures

import (
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// Page returns a report as a page. By is the version of pkgen.
func Page(r *analyze.Report, by string) *report.Page {
	p := &report.Page{Title: title(r), By: "pkgen-data analyze", Lead: lead(r), Facts: facts(r), Foot: foot(by)}
	p.Sections = append(p.Sections, findings(r))
	if s := compared(r); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	for _, l := range r.Layouts {
		p.Sections = append(p.Sections, layout(r, l))
	}
	if s := reads(r); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	if s := indexes(r); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	if r.Logged != nil {
		p.Sections = append(p.Sections, logged(r.Logged))
	}
	if r.Usage != nil {
		p.Sections = append(p.Sections, byTenant(r.Usage))
	}
	if s := sample(r); len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	return p
}

func title(r *analyze.Report) string {
	if r.Type != "" {
		return "The keys of " + r.Type
	}
	return "The keys of a sample"
}

func foot(by string) string {
	text := "This page has keys of documents: protect it like the data. It loads nothing and sends nothing."
	if by != "" {
		text += " Made by pkgen " + by + "."
	}
	return text
}

// source describes the source of the documents.
func source(s analyze.Sample) string {
	switch {
	case s.Container:
		return "container " + s.Source
	case s.Source == "-":
		return "standard input"
	}
	return s.Source
}

func lead(r *analyze.Report) string {
	text := plural(r.Documents, "document") + " of " + source(r.Sample)
	if r.Sample.Share > 0 && r.Sample.Share < 1 {
		text += ", a sample of " + report.Number(100*r.Sample.Share) + "%"
	}
	text += ", under " + plural(int64(len(r.Layouts)), "layout") + "."
	if r.Sample.Error != "" {
		text += " The error of the sample: " + r.Sample.Error + "."
	}
	return text
}

func facts(r *analyze.Report) []report.Fact {
	all := []report.Fact{
		{Name: "documents", Value: report.Number(float64(r.Documents))},
		{Name: "average size", Value: size(r.Average)},
		{Name: "largest document", Value: size(r.Largest)},
	}
	if l := shown(r); l != nil {
		all = append(all, report.Fact{Name: "logical partitions, " + l.Layout, Value: approximate(l)})
	}
	if r.Times != nil {
		all = append(all, report.Fact{Name: "from " + moment(r.Times.From), Value: span(r.Times.To.Sub(r.Times.From))})
	}
	if r.Invalid > 0 {
		all = append(all, report.Fact{Name: "lines without a document", Value: report.Number(float64(r.Invalid))})
	}
	return all
}

// approximate returns the number of logical partitions, with its error if it has one.
func approximate(l *analyze.Layout) string {
	text := report.Number(float64(l.LogicalPartitions))
	if l.LogicalPartitionsError > 0 {
		text += " ± " + report.Number(100*l.LogicalPartitionsError) + "%"
	}
	return text
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// span formats a duration.
func span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return plural(int64(d.Round(24*time.Hour)/(24*time.Hour)), "day")
	case d >= 2*time.Hour:
		return plural(int64(d.Round(time.Hour)/time.Hour), "hour")
	case d >= 2*time.Minute:
		return plural(int64(d.Round(time.Minute)/time.Minute), "minute")
	}
	return plural(int64(d.Round(time.Second)/time.Second), "second")
}

// size formats a size in decimal units, as Azure does.
func size(n int64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}} {
		if float64(n) >= unit.size {
			return report.Number(float64(n)/unit.size) + " " + unit.name
		}
	}
	return plural(n, "byte")
}

// findings returns the messages of all layouts, and the recommendation.
func findings(r *analyze.Report) report.Section {
	var notices report.Notices
	if rec := r.Recommendation; rec != nil {
		notices = append(notices, report.Notice{Level: "good", Name: rec.Layout, Text: rec.Reason + " " + rec.Reads})
	}
	add := func(prefix string, all []analyze.Finding) {
		for _, f := range all {
			notices = append(notices, report.Notice{Level: string(f.Severity), Name: f.Name, Text: prefix + f.Message})
		}
	}
	for _, l := range r.Layouts {
		prefix := ""
		if len(r.Layouts) > 1 {
			prefix = l.Layout + ": "
		}
		add(prefix, l.Findings)
	}
	for _, x := range r.Indexes {
		add("index "+x.Keys.Layout+": ", x.Keys.Findings)
	}
	if r.Logged != nil {
		add("the log: ", r.Logged.Findings)
	}
	if r.Usage != nil {
		add("", r.Usage.Findings)
	}
	s := report.Section{Title: "Findings"}
	if len(notices) == 0 {
		s.Blocks = append(s.Blocks, report.Prose("There are no findings."))
		return s
	}
	s.Blocks = append(s.Blocks, notices)
	return s
}

// shows appends charts that are not nil.
func shows(s *report.Section, charts ...report.Chart) {
	for _, c := range charts {
		if c != nil {
			s.Blocks = append(s.Blocks, report.Shown{Chart: c})
		}
	}
}

// sized formats a share in percent.
func sized(share float64) string { return report.Number(100*share) + "%" }

// counted formats a number of documents.
func counted(n int64) string { return report.Number(float64(n)) }

// rho formats a correlation, or "–".
func rho(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", *v)
}

package analyze

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// analysisText formats a report in lines that fit a screen, except for long keys and templates.
func analysisText(r *analyze.Report) string {
	var b strings.Builder
	if r.Sample.Source != "" {
		sampleText(&b, r)
	}
	for i, l := range r.Layouts {
		b.WriteByte('\n')
		layoutText(&b, "layout", l, i, len(r.Layouts))
	}
	if len(r.Layouts) > 0 {
		b.WriteByte('\n')
		compareText(&b, "layout", r.Layouts)
	}
	if len(r.Indexes) > 0 {
		indexesText(&b, r.Indexes)
	}
	if r.Logged != nil {
		b.WriteByte('\n')
		logText(&b, r.Logged)
	}
	if r.Usage != nil {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		usedText(&b, r.Usage)
	}
	if r.Recommendation != nil {
		fmt.Fprintf(&b, "\nrecommended: %s\n", plain.Word(r.Recommendation.Layout))
		paragraph(&b, r.Recommendation.Reason+" "+r.Recommendation.Reads)
	}
	return b.String()
}

// paragraph writes a text in lines that fit a screen.
func paragraph(b *strings.Builder, text string) {
	for _, line := range cli.Wrap(plain.Word(text), cli.ScreenColumns-2) {
		fmt.Fprintf(b, "  %s\n", line)
	}
}

// sampleText describes the sample.
func sampleText(b *strings.Builder, r *analyze.Report) {
	name := "sample " + plain.Word(r.Sample.Source)
	if r.Sample.Container {
		name = "container " + plain.Word(r.Sample.Source)
	}
	fmt.Fprintf(b, "%s: %s, %s, %s on average, %s at most\n", name, cli.HowMany(int(r.Documents), "document"), analyze.Size(r.Bytes), analyze.Size(r.Average), analyze.Size(r.Largest))
	if r.Sample.Container {
		how := "all of it was read"
		if r.Sample.Share < 1 {
			how = fmt.Sprintf("%.3g%% of its keys were read", 100*r.Sample.Share)
		}
		if r.Sample.Stopped {
			how += ", until the limit was reached"
		}
		paragraph(b, fmt.Sprintf("%s, for %.0f RU", how, r.Sample.RequestUnits))
	}
	if r.Sample.Error != "" {
		paragraph(b, r.Sample.Error)
	}
	statisticsText(b, r.Sample)
	if r.Others > 0 {
		paragraph(b, cli.HowMany(int(r.Others), "document")+" of other types")
	}
	if r.Invalid > 0 {
		paragraph(b, fmt.Sprintf("%s, such as line %d: %s", cli.HowMany(int(r.Invalid), "invalid line"), r.InvalidLines[0].Line, r.InvalidLines[0].Reason))
	}
	if t := r.Times; t != nil {
		const minute = "2006-01-02 15:04"
		paragraph(b, fmt.Sprintf("%s from %s to %s UTC, by %s", t.Property, t.From.Format(minute), t.To.Format(minute), widthText(t.Seconds)))
		if t.Untimed > 0 {
			paragraph(b, cli.HowMany(int(t.Untimed), "document")+" without that time")
		}
	} else {
		such := ""
		if _, times := r.Properties(); len(times) > 0 {
			such = ", such as " + some(times, "or")
		}
		paragraph(b, "no document has a readable time: name its property by -time"+such+", for figures by minute. A time is a number since 1970, or a text in RFC 3339, until 2106")
	}
}

// widthText names a width of intervals.
func widthText(seconds int64) string {
	for _, unit := range []struct {
		seconds int64
		name    string
	}{{86400, "day"}, {3600, "hour"}, {60, "minute"}} {
		if n := seconds / unit.seconds; n == 1 {
			return unit.name
		} else if n > 1 {
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return fmt.Sprintf("%d seconds", seconds)
}

// layoutText describes layout or index i of n: its findings, its keys, and the documents without a
// key.
func layoutText(b *strings.Builder, word string, l *analyze.Layout, i, n int) {
	own := ""
	if l.Current {
		own = ", of pkgen.lock"
	}
	findings := ""
	if len(l.Findings) == 0 && l.Documents > 0 {
		findings = ": no findings"
	}
	fmt.Fprintf(b, "%s %d %s%s%s\n", word, i+1, plain.Word(l.Layout), own, findings)
	for _, f := range l.Findings {
		paragraph(b, fmt.Sprintf("%s %s: %s", f.Severity, f.Name, f.Message))
	}
	for _, k := range l.Keyless {
		property := ""
		if k.Property != "" {
			property = "property " + k.Property + " "
		}
		paragraph(b, fmt.Sprintf("no key for %s (%s): %s%s; %s", cli.HowMany(int(k.Documents), "document"), k.Problem, property, k.Reason, linesText(k.Lines, k.Documents)))
	}
	largest := l.Largest
	if n > 1 {
		largest = largest[:min(len(largest), 3)]
	}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, k := range largest {
		fmt.Fprintf(table, "%d\t%s\t%s\t  %s\n", k.Documents, shareText(k.Share), analyze.Size(k.Bytes), shortKey(k.Key))
	}
	_ = table.Flush() // b returns no error
}

// linesText lists the first lines of documents.
func linesText(lines []int64, of int64) string {
	texts := make([]string, len(lines))
	for i, n := range lines {
		texts[i] = fmt.Sprint(n)
	}
	word := "lines "
	if len(lines) == 1 {
		word = "line "
	}
	more := ""
	if int64(len(lines)) < of {
		more = " and more"
	}
	return word + strings.Join(texts, ", ") + more
}

// keyColumns is the maximum width of a key.
const keyColumns = 48

// shortKey returns the beginning of a key.
func shortKey(key string) string {
	key = plain.Word(key)
	if utf8.RuneCountInString(key) <= keyColumns {
		return key
	}
	return string([]rune(key)[:keyColumns-1]) + "…"
}

// columnsOfTable is how many layouts fit next to each other on a screen.
const columnsOfTable = 4

// compareText writes the figures of layouts, or of indexes, next to each other.
func compareText(b *strings.Builder, word string, layouts []*analyze.Layout) {
	for from := 0; from < len(layouts); from += columnsOfTable {
		to := min(from+columnsOfTable, len(layouts))
		table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
		row := func(name string, cell func(l *analyze.Layout) string) {
			// The name is left-aligned, and must have the width of the column.
			fmt.Fprintf(table, "%-*s\t", nameColumns, name)
			for _, l := range layouts[from:to] {
				fmt.Fprintf(table, "%s\t", cell(l))
			}
			fmt.Fprintln(table)
		}
		n := from
		row(word, func(*analyze.Layout) string { n++; return fmt.Sprint(n) })
		keyRows(row, layouts[from])
		spreadRows(row, layouts[from:to])
		readRows(row, layouts[from])
		_ = table.Flush() // b returns no error
	}
}

// nameColumns is the width of the names of rows.
const nameColumns = 36

// rowWriter writes a row of the table of layouts.
type rowWriter func(name string, cell func(l *analyze.Layout) string)

// keyRows writes the figures of keys. The layout like determines the rows.
func keyRows(row rowWriter, like *analyze.Layout) {
	row("logical partitions", func(l *analyze.Layout) string {
		if l.LogicalPartitionsError > 0 {
			return fmt.Sprintf("~%d", l.LogicalPartitions)
		}
		return fmt.Sprint(l.LogicalPartitions)
	})
	row("busiest key of the sample", func(l *analyze.Layout) string {
		if len(l.Largest) == 0 {
			return "-"
		}
		return shareText(l.Largest[0].Share)
	})
	for i, h := range like.Hot {
		row("busiest key of "+analyze.Article(h.Interval), func(l *analyze.Layout) string {
			if i >= len(l.Hot) || !l.Hot[i].Telling() {
				return "-"
			}
			return shareText(l.Hot[i].Share)
		})
	}
	row("one key stays the busiest for", func(l *analyze.Layout) string {
		if l.Stays == nil {
			return "-"
		}
		return widthText(int64(l.Stays.To.Sub(l.Stays.From).Seconds()))
	})
	row("largest logical partition", func(l *analyze.Layout) string {
		if l.Biggest == nil {
			return "-"
		}
		return analyze.Size(l.Biggest.Bytes)
	})
	row("reaches 20 GB on", func(l *analyze.Layout) string {
		if l.Biggest == nil || l.Biggest.Full == nil {
			return "-"
		}
		return l.Biggest.Full.Format("2006-01-02")
	})
	row("correlation of keys with time", func(l *analyze.Layout) string {
		if l.Monotonicity == nil {
			return "-"
		}
		return fmt.Sprintf("%.2f", *l.Monotonicity)
	})
}

// shareText writes a share.
func shareText(share float64) string {
	if share > 0 && share < 0.0001 {
		return "<0.01%"
	}
	return fmt.Sprintf("%.3g%%", 100*share)
}

// spreadRows writes the figures of physical partitions, whose numbers are the same for all layouts.
func spreadRows(row rowWriter, layouts []*analyze.Layout) {
	for i, s := range layouts[0].Partitions {
		of := func(l *analyze.Layout) *analyze.Spread { return l.Partitions[i] }
		own := ""
		if s.Own {
			own = "own "
		}
		row(fmt.Sprintf("of %d %spartitions, used", s.Physical, own), func(l *analyze.Layout) string { return fmt.Sprintf("%.1f", of(l).Effective) })
		if s.ByTime != nil && s.ByTime.Intervals > 0 {
			row("  in the median interval", func(l *analyze.Layout) string {
				return medianText(of(l).ByTime, func(t *analyze.SpreadByTime) string { return fmt.Sprintf("%.1f", t.Median) })
			})
		}
		row("  writes/s, sample", func(l *analyze.Layout) string { return fmt.Sprintf("%.0f", of(l).SustainableWrites) })
		if s.ByTime != nil && s.ByTime.Intervals > 0 {
			row("  writes/s, median interval", func(l *analyze.Layout) string {
				return medianText(of(l).ByTime, func(t *analyze.SpreadByTime) string { return fmt.Sprintf("%.0f", t.SustainableWrites) })
			})
		}
		if slices.ContainsFunc(layouts, func(l *analyze.Layout) bool { return of(l).Divided > 0 }) {
			row("  used, first levels divided", func(l *analyze.Layout) string {
				if of(l).Divided == 0 {
					return "-"
				}
				return fmt.Sprintf("≤%.1f", of(l).Divided)
			})
		}
	}
}

// medianText formats a figure of intervals, if enough of them are significant.
func medianText(t *analyze.SpreadByTime, text func(t *analyze.SpreadByTime) string) string {
	if t == nil || t.Intervals == 0 {
		return "-"
	}
	return text(t)
}

// readRows writes what reads cost.
func readRows(row rowWriter, like *analyze.Layout) {
	row("buckets per read of a base", func(l *analyze.Layout) string { return fmt.Sprint(l.Fan) })
	if like.Reads == nil {
		return
	}
	row("calls: RU/s", func(l *analyze.Layout) string { return fmt.Sprintf("%.0f", l.Reads.RequestUnits) })
	row("calls: requests/s", func(l *analyze.Layout) string { return fmt.Sprintf("%.0f", l.Reads.Requests) })
	row("calls that query one partition", func(l *analyze.Layout) string { return shareText(l.Reads.One) })
	row("calls that query several", func(l *analyze.Layout) string { return shareText(l.Reads.Several) })
	row(fmt.Sprintf("calls that query all %d", like.Reads.Partitions), func(l *analyze.Layout) string { return shareText(l.Reads.All) })
}

// analysisCommands formats the findings of a report as workflow commands of GitHub.
func analysisCommands(r *analyze.Report) string {
	var b strings.Builder
	write := func(f analyze.Finding, of string) {
		command := map[analyze.Severity]string{analyze.Bad: "error", analyze.Warning: "warning", analyze.Note: "notice"}[f.Severity]
		fmt.Fprintf(&b, "::%s::%s\n", command, cli.GitHubText(of+f.Name+": "+f.Message))
	}
	for _, l := range r.Layouts {
		for _, f := range l.Findings {
			write(f, "layout "+l.Layout+": ")
		}
	}
	for _, x := range r.Indexes {
		for _, f := range x.Keys.Findings {
			write(f, "index "+x.Keys.Layout+": ")
		}
	}
	if r.Logged != nil {
		for _, f := range r.Logged.Findings {
			write(f, "log of request units: ")
		}
	}
	if r.Usage != nil {
		for _, f := range r.Usage.Findings {
			write(f, "use by tenant: ")
		}
	}
	return b.String()
}

package analyze

import (
	"fmt"
	"os"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rulog"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/usage"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// logged is a log of request units, and the effect of other layouts; nil if there is no log.
type logged struct {
	log    *rulog.Log
	others *rulog.Others
}

// openLog reads the log of rulog.
func (a *analyzing) openLog(entry lock.Entry, options analyze.Options) (*logged, error) {
	if a.log == "" {
		return nil, nil
	}
	file, err := os.Open(a.log)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was read
	of := rulog.Options{Database: *a.Database, Container: *a.Container}
	if of.Container == "" && !entry.Placed() {
		of.Container = entry.Container
	}
	log, err := rulog.Read(file, of)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.Shown(a.log), err)
	}
	var own *layout.Layout
	var layouts []*layout.Layout
	for _, o := range options.Layouts {
		if o.Current {
			own = o.Layout
		}
		layouts = append(layouts, o.Layout)
	}
	return &logged{log, rulog.NewOthers(log, own, entry, layouts, options.Partitions)}, nil
}

// add adds a document of the sample.
func (l *logged) add(document []byte) {
	if l != nil {
		l.others.Add(document)
	}
}

// write adds the log's figures to a report.
func (l *logged) write(r *analyze.Report) {
	if l != nil {
		r.Logged = l.log.Report()
		r.Logged.Layouts = l.others.Layouts()
	}
}

// logText describes a log.
func logText(b *strings.Builder, l *analyze.Logged) {
	const minute = "2006-01-02 15:04"
	fmt.Fprintf(b, "log of request units: %s, %.0f RU from %s to %s UTC\n", cli.HowMany(int(l.Records), "record"), l.RequestUnits, l.From.Format(minute), l.To.Format(minute))
	if l.Invalid > 0 {
		paragraph(b, cli.HowMany(int(l.Invalid), "invalid record"))
	}
	for _, f := range l.Findings {
		paragraph(b, fmt.Sprintf("%s %s: %s", f.Severity, f.Name, f.Message))
	}
	for _, k := range l.Keys[:min(len(l.Keys), 10)] {
		paragraph(b, fmt.Sprintf("key %s: %s of the request units, %.0f RU/s in its busiest minute", shortKey(k.Key), shareText(k.Share), k.PeakRUs))
	}
	for _, r := range l.Ranges {
		paragraph(b, fmt.Sprintf("physical partition %s: %s, %.0f RU/s in its busiest minute", plain.Word(r.Range), shareText(r.Share), r.PeakRUs))
	}
	for _, o := range l.Layouts {
		if o.Refused != "" {
			paragraph(b, fmt.Sprintf("layout %s: %s", o.Layout, o.Refused))
			continue
		}
		for _, s := range o.Partitions {
			paragraph(b, fmt.Sprintf("layout %s, by %s of the log: %.1f of %d physical partitions used, %s in the busiest", o.Layout, shareText(o.Joined), s.Effective, s.Physical, shareText(s.BusiestShare)))
		}
	}
}

// used returns the usage of tenants.
func (a *analyzing) used() (*analyze.Used, error) {
	file, err := os.Open(a.usage)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was read
	used, err := usage.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.Shown(a.usage), err)
	}
	return used, nil
}

// usedText describes the usage of tenants.
func usedText(b *strings.Builder, u *analyze.Used) {
	const minute = "2006-01-02 15:04"
	fmt.Fprintf(b, "use by tenant: %s, %.0f RU from %s to %s UTC\n", cli.HowMany(u.Known, "tenant"), u.RequestUnits, u.From.UTC().Format(minute), u.To.UTC().Format(minute))
	if u.Unscoped > 0 {
		paragraph(b, fmt.Sprintf("%s of the request units belong to no tenant", shareText(u.Unscoped/u.RequestUnits)))
	}
	if u.Forgotten > 0 {
		paragraph(b, fmt.Sprintf("tenants with less than %.0f RU may be missing", u.Forgotten))
	}
	for _, f := range u.Findings {
		paragraph(b, fmt.Sprintf("%s %s: %s", f.Severity, f.Name, f.Message))
	}
	for _, t := range u.Tenants[:min(len(u.Tenants), 10)] {
		paragraph(b, fmt.Sprintf("tenant %s: %s of container %s, %.1f RU/s, %.1f RU/s in its busiest minute", shortKey(t.Tenant), shareText(t.Share), plain.Word(t.Container), t.RUs, t.PeakRUs))
	}
}

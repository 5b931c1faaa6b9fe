package analyze

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// indexesText describes the worth of indexes.
func indexesText(b *strings.Builder, indexes []*analyze.Index) {
	var keys []*analyze.Layout
	for i, x := range indexes {
		keys = append(keys, x.Keys)
		b.WriteByte('\n')
		layoutText(b, "index", x.Keys, i, len(indexes))
		paragraph(b, x.Advice)
		for j, u := range x.Uses {
			b.WriteByte('\n')
			useText(b, u, i+1, j+1)
		}
	}
	b.WriteByte('\n')
	compareText(b, "index", keys)
}

// useText describes the cost of calls with an index, under a layout of the container.
func useText(b *strings.Builder, u *analyze.IndexUse, index, layout int) {
	fmt.Fprintf(b, "index %d under layout %d, with %d physical partitions\n", index, layout, u.Partitions)
	for _, a := range u.Answers {
		paragraph(b, fmt.Sprintf("answers %s, which knows %s, from %s instead of %d, for %.1f RU instead of %.1f, %g times per second",
			a.Method, strings.Join(a.Knows, ", "), cli.HowMany(a.Index.Partitions, "physical partition"), a.Container.Partitions, a.Index.RequestUnits, a.Container.RequestUnits, a.Calls))
	}
	if len(u.Answers) > 0 {
		paragraph(b, fmt.Sprintf("without it %.0f RU/s and %.0f requests/s; with it %.0f RU/s and %.0f requests/s, where %.0f RU/s read the index and %.0f write it",
			u.Without.RequestUnits, u.Without.Requests, u.With.RequestUnits, u.With.Requests, u.IndexReads, u.IndexWrites))
	}
	verdict := "not recommended: "
	if u.Pays {
		verdict = "recommended: "
	}
	paragraph(b, verdict+u.Reason)
	for _, other := range u.Others {
		saves := fmt.Sprintf("saves %.0f", other.Saves)
		if other.Saves <= 0 {
			saves = fmt.Sprintf("costs %.0f more", -other.Saves)
		}
		paragraph(b, fmt.Sprintf("with %d physical partitions it %s RU/s", other.Partitions, saves))
	}
}

package migrate

import (
	"fmt"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/migrate"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// begun is the start of the copy in this process, for estimating the remaining time.
var begun = time.Now()

// progressBar shows the progress of a copy. Total is negative if it is unknown.
func progressBar(done migrate.Told, total int64) string {
	text := fmt.Sprintf("%d documents, %.0f RU", done.Documents, done.Charge)
	if total <= 0 || done.Documents == 0 {
		return "copying: " + text
	}
	share := min(float64(done.Documents)/float64(total), 1)
	full := int(share * cli.BarWidth)
	left := time.Duration((1 - share) / share * float64(time.Since(begun))).Round(time.Second)
	return fmt.Sprintf("[%s%s] %.0f%%, %s, %s left", strings.Repeat("#", full), strings.Repeat("-", cli.BarWidth-full), 100*share, text, left)
}

// migrationText formats a report for people.
func migrationText(r *migrationReport) string {
	var b strings.Builder
	from, to := plain.Word(r.From), plain.Word(r.To)
	if p := r.Plan; p != nil {
		fmt.Fprintf(&b, "container %s: %d documents, %s, would be copied to container %s\n", from, p.Documents, analyze.Size(p.Bytes), to)
		fmt.Fprintf(&b, "\tabout %.0f RU to read them, %.0f RU to write them, and %.0f RU for the state", p.Reading, p.Writing, p.State)
		if p.Seconds > 0 {
			fmt.Fprintf(&b, ": %s at the budget", time.Duration(p.Seconds*float64(time.Second)).Round(time.Second))
		}
		b.WriteString("\n")
		if p.Expired > 0 {
			fmt.Fprintf(&b, "\t%d documents have expired\n", p.Expired)
		}
		if p.Kept {
			b.WriteString("\tall documents have their new key as a property, so the service's own container copy can also do this\n")
		}
	} else {
		fmt.Fprintf(&b, "container %s: %d documents copied to container %s, %.0f RU\n", from, r.Documents, to, r.Charge)
	}
	for _, f := range r.Refused {
		property := ""
		if f.Property != "" {
			property = "property " + plain.Word(f.Property) + " "
		}
		fmt.Fprintf(&b, "\t%s, %s: %s%s\n", f.Problem, cli.HowMany(f.Documents, "document"), property, f.Reason)
		for _, id := range f.IDs {
			fmt.Fprintf(&b, "\t\tid %q\n", id)
		}
	}
	switch v := r.Verdict; {
	case len(r.Refused) > 0:
		b.WriteString("do not switch: these documents cannot be copied to the destination; correct them, and run the command again\n")
	case v == nil:
	case !v.Equal:
		fmt.Fprintf(&b, "do not switch: the containers differ: %d documents in the source, %d in the destination, %d that differ, %d that other programs wrote to the destination\n", v.Source, v.Destination, v.Differ, v.Others)
		for _, id := range v.OtherIDs {
			fmt.Fprintf(&b, "\tid %q is from another program\n", id)
		}
	default:
		fmt.Fprintf(&b, "the containers are equal: %d documents, checksum %s\n", v.Source, v.Checksum)
		fmt.Fprintf(&b, "switch: start the programs whose pkgen.lock has container %s; delete container %s when you no longer need it\n", to, from)
	}
	return b.String()
}

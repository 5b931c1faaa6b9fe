package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
)

// reportText formats a report for people.
func reportText(r *verify.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "container %s of database %s: %s, %.0f RU, %s\n", plain.Word(r.Container), plain.Word(r.Database), cli.HowMany(r.Documents, "document"), r.Charge, howMuch(r))
	for _, s := range r.Settings {
		fmt.Fprintf(&b, "\t%s\n", settingText(s))
	}
	for _, t := range r.Types {
		fmt.Fprintf(&b, "\ttype %s %s: %s, %s\n", plain.Word(t.Type), plain.Word(t.Layout), cli.HowMany(t.Documents, "document"), cli.HowMany(len(t.Findings), "finding"))
		for _, f := range t.Findings {
			fmt.Fprintf(&b, "\t\t%s\n", findingText(f))
			for _, e := range f.Examples {
				fmt.Fprintf(&b, "\t\t\t%s\n", exampleText(f, e))
			}
		}
		for _, pointer := range slices.Sorted(maps.Keys(t.Absent)) {
			fmt.Fprintf(&b, "\t\tabsent, %s: no property %s, which is fine if Go omits it\n", cli.HowMany(t.Absent[pointer], "document"), plain.Word(pointer))
		}
		for _, u := range t.Unwritten {
			fmt.Fprintf(&b, "\t\t%s\n", unwrittenText(u))
		}
		if t.Moving > 0 {
			fmt.Fprintf(&b, "\t\tmoving, %s: stored under another bucket count that the lock allows\n", cli.HowMany(t.Moving, "document"))
		}
		if t.Unchecked > 0 {
			fmt.Fprintf(&b, "\t\tunchecked, %s: only Go code can write their keys as text\n", cli.HowMany(t.Unchecked, "document"))
		}
	}
	if r.Reservations > 0 || r.Hidden > 0 {
		fmt.Fprintf(&b, "\tunique values: %s, %s\n", cli.HowMany(r.Reservations, "reservation"), cli.HowMany(r.Hidden, "hidden document"))
	}
	if r.Uncompared {
		b.WriteString("\tunique values: not compared with their reservations, because the limit was reached\n")
	}
	if r.Moves > 0 {
		fmt.Fprintf(&b, "\tmoves: %s that are not documents\n", cli.HowMany(r.Moves, "mark"))
	}
	if r.Others > 0 {
		fmt.Fprintf(&b, "\tothers, %s: of other types\n", cli.HowMany(r.Others, "document"))
	}
	return b.String()
}

// howMuch describes how much of a container was read.
func howMuch(r *verify.Report) string {
	switch {
	case r.Share >= 1 && !r.Stopped:
		return "all of it"
	case r.Stopped && r.Share == 0:
		return "not one complete window of the keys, because the limit was reached"
	case r.Stopped:
		return fmt.Sprintf("about %.3g%% of the keys, until the limit was reached", 100*r.Share)
	}
	return fmt.Sprintf("a sample of %.3g%% of the keys", 100*r.Share)
}

// settingText describes a differing setting.
func settingText(s verify.Setting) string {
	return fmt.Sprintf("setting: the %s is %s, but the lock has %s", s.Name, plain.Word(s.Have), plain.Word(s.Want))
}

// findingText describes a finding.
func findingText(f verify.Finding) string {
	what := map[string]string{
		verify.WrongKey:     "stored under a key that differs from the one their properties make, so no point read finds them",
		verify.NoKey:        "no key, because property " + f.Property + " " + f.Reason,
		verify.BadID:        "an id that generated code refuses: it " + f.Reason,
		verify.PropertyType: "property " + f.Property + " " + f.Reason,

		verify.NotUnique:       "property " + f.Property + " is not unique: the document " + f.Reason,
		verify.NoReservation:   "property " + f.Property + " has no reservation, so another document could take its value",
		verify.LeftReservation: "the reservation of a value of " + f.Property + " is left over, and the document that it names lacks the value: it blocks no write",
		verify.LeftHidden:      "hidden since an interrupted creation: it blocks no write",
		verify.BadReservation:  f.Reason,

		verify.StaleIndex: "property " + f.Property + " is not the text that the index " + f.Index + " needs, so reads of the index miss them, or find them under another key",
		verify.NoIndexKey: "no key in the index " + f.Index + ", because property " + f.Property + " " + f.Reason,

		verify.WrongContainer: "in a container that their properties do not name, so no point read finds them",
	}[f.Name]
	switch {
	case f.Name == verify.NoKey && f.Property == "":
		what = "no key: " + f.Reason
	case f.Name == verify.NoIndexKey && f.Property == "":
		what = "no key in the index " + f.Index + ": " + f.Reason
	case (f.Name == verify.WrongKey || f.Name == verify.WrongContainer) && f.Property != "":
		what += ", because property " + f.Property + " " + f.Reason
	}
	if f.Mended > 0 {
		what += fmt.Sprintf("; %d mended", f.Mended)
	}
	return plain.Word(fmt.Sprintf("%s, %s: %s", f.Name, cli.HowMany(f.Documents, "document"), what))
}

// unwrittenText describes how many documents an index still needs.
func unwrittenText(u verify.Unwritten) string {
	text := fmt.Sprintf("unwritten, %s: no property %s for the index %s, which a later release reads: write it by Upgrade or -mend", cli.HowMany(u.Documents, "document"), u.Property, u.Index)
	if u.Mended > 0 {
		text += fmt.Sprintf("; %d mended", u.Mended)
	}
	return plain.Word(text)
}

// indexText describes a document's property for an index.
func indexText(f verify.Finding, e verify.Example) string {
	text := fmt.Sprintf("id %q", e.ID)
	if f.Name == verify.StaleIndex {
		switch {
		case e.Stored != nil:
			text += fmt.Sprintf(" has %s", e.Stored)
		case f.Problem == layout.Missing.String():
			text += " has none"
		}
		if e.Made != nil {
			text += fmt.Sprintf(", but needs %s", e.Made)
		}
		if e.Reason != "" {
			text += "; not written by -mend, because " + e.Reason
		}
	} else if e.Reason != "" {
		text += ", because it " + e.Reason
	}
	return plain.Word(text)
}

// exampleText describes an example document.
func exampleText(f verify.Finding, e verify.Example) string {
	if f.Index != "" {
		return indexText(f, e)
	}
	text := fmt.Sprintf("id %q", e.ID)
	if e.Stored != nil {
		text += fmt.Sprintf(" under %s", e.Stored)
	}
	if e.Made != nil {
		text += fmt.Sprintf(", but its properties make %s", e.Made)
	}
	switch {
	case e.Reason != "" && f.Property != "":
		text += ", because it " + e.Reason
	case e.Reason != "":
		text += ", because " + e.Reason
	}
	return plain.Word(text)
}

// reportCommands formats the findings of a report as workflow commands of GitHub.
func reportCommands(r *verify.Report) string {
	var b strings.Builder
	write := func(text string) {
		fmt.Fprintf(&b, "::error::%s\n", cli.GitHubText("container "+r.Container+": "+text))
	}
	for _, s := range r.Settings {
		write(settingText(s))
	}
	for _, t := range r.Types {
		for _, f := range t.Findings {
			write("type " + t.Type + ": " + findingText(f))
		}
	}
	return b.String()
}

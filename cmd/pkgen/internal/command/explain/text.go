package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// writeText prints a table for each type.
func writeText(w io.Writer, types []Explanation) error {
	if len(types) == 0 {
		_, err := fmt.Fprintln(w, load.NoTypes)
		return err
	}
	for i, t := range types {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := t.writeText(w); err != nil {
			return err
		}
	}
	return nil
}

// writeText prints how the key is made, and below it the cost of methods.
func (e Explanation) writeText(w io.Writer) error {
	var text strings.Builder
	if err := e.writeTables(&text); err != nil {
		return err
	}
	_, err := io.WriteString(w, plain.Text(text.String()))
	return err
}

// writeContainer writes the line of a table with the container.
func (e Explanation) writeContainer(table io.Writer) {
	if e.API != "" {
		fmt.Fprintf(table, "  API\t%s\n", annotations.API(e.API))
	}
	switch {
	case e.From != "":
		fmt.Fprintf(table, "  edge\t%s, from %s to %s, in the graph of the client\n", e.Label, e.From, e.To)
		return
	case e.Label != "":
		fmt.Fprintf(table, "  vertex\t%s, in the graph of the client\n", e.Label)
		return
	case e.API != "":
		fmt.Fprintf(table, "  %s\t%s\n", e.place, e.Container)
		return
	}
	if e.ExampleID != "" {
		fmt.Fprintf(table, "  containers\t%s, such as %s\n", e.Container, e.ExampleID)
	} else {
		fmt.Fprintf(table, "  container\t%s\n", e.Container)
	}
	if e.Own != "" {
		fmt.Fprintf(table, "  own containers\t%s, such as %s, for tenants that have moved there; methods are for one tenant, and cost more while it moves\n", e.Own, e.ExampleOwn)
	}
}

// writeKey writes the lines about the key.
func (e Explanation) writeKey(table io.Writer) {
	switch {
	case e.From != "":
		fmt.Fprintf(table, "  partition key\tthe partition key of the %s that the edge leads from\n", e.From)
		return
	case e.API == string(annotations.Table):
		fmt.Fprintf(table, "  partition key\t%s\n", e.Layout)
	default:
		fmt.Fprintf(table, "  partition key\t%s at %s\n", e.Layout, strings.Join(e.Paths, ", "))
	}
	fmt.Fprintf(table, "  example\t%s\n", e.ExampleKey)
	switch {
	case e.Row != "":
		fmt.Fprintf(table, "  row key\t%s, such as %s\n", e.Row, e.ExampleRow)
	case e.API == string(annotations.Table):
		fmt.Fprint(table, "  row key\tthe id\n")
	}
}

// writeEnds writes how documents are deleted or expire.
func (e Explanation) writeEnds(table io.Writer) {
	if e.Deleted != "" {
		stays := "stay until Purge removes them"
		if e.Purge > 0 {
			stays = fmt.Sprintf("are removed %v later", time.Duration(e.Purge)*time.Second)
		}
		fmt.Fprintf(table, "  deletions\tmark documents at %s, which %s\n", e.Deleted, stays)
	}
	switch {
	case e.TTL != nil && *e.TTL < 0:
		fmt.Fprint(table, "  expiry\tof documents with their own ttl\n")
	case e.TTL != nil:
		fmt.Fprintf(table, "  expiry\t%d seconds after the last change, unless a document has its own ttl\n", *e.TTL)
	}
}

func (e Explanation) writeTables(w io.Writer) error {
	fmt.Fprintf(w, "%s.%s (%s)\n", e.Package, e.Type, plain.Word(e.Position))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	e.writeContainer(table)
	if e.DocType != "" {
		fmt.Fprintf(table, "  documents\twith property type %q\n", e.DocType)
	}
	switch {
	case e.IDPrefix != "":
		fmt.Fprintf(table, "  ids\tbegin with %q\n", e.IDPrefix)
	case e.shares:
		look := "Upsert, Replace and Delete"
		if e.Deleted != "" { // marking checks the type in its condition
			look = "Upsert and Replace"
		}
		fmt.Fprintf(table, "  ids\tmay equal ids of other types, so %s read first; a prefix on the ids of each type saves this read\n", look)
	}
	e.writeEnds(table)
	if e.Conflict != "" {
		fmt.Fprintf(table, "  conflicts\tbetween write regions: the write with the greater %s wins, and the other is lost; a deletion always wins\n", e.Conflict)
	}
	e.writeKey(table)
	if e.Draft {
		fmt.Fprint(table, "  draft\tyes: the layout may change until pkgen seal\n")
	}
	notes := e.Notes
	switch {
	case e.Ambiguity != "":
		what := e.Ambiguity
		// The note has the example and advice.
		if i := slices.IndexFunc(notes, func(note string) bool { return strings.Contains(note, what) }); i >= 0 {
			_, remedy, _ := strings.Cut(notes[i], what)
			what += remedy
			notes = slices.Delete(slices.Clone(notes), i, i+1)
		}
		fmt.Fprintf(table, "  ambiguous\tyes: %s\n", what)
	case e.Escaped:
		fmt.Fprint(table, "  ambiguous\tno: components are percent-encoded\n")
	case e.From == "":
		fmt.Fprint(table, "  ambiguous\tno\n")
	}
	for _, note := range notes {
		fmt.Fprintf(table, "  note\t%s\n", note)
	}
	for _, advice := range e.Advice {
		fmt.Fprintf(table, "  advice\t%s\n", advice)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if err := writeMethods(table, e.Methods, e.ExampleID != ""); err != nil {
		return err
	}
	for _, x := range e.Indexes {
		if err := x.writeTables(table); err != nil {
			return err
		}
	}
	return nil
}

// writeMethods prints a table of the cost of methods. Several is set if the type has several
// containers.
func writeMethods(table *tabwriter.Writer, methods []Method, several bool) error {
	fmt.Fprint(table, "\n  requests / RU on physical partitions")
	for _, physical := range physicalPartitions {
		fmt.Fprintf(table, "\t%d", physical)
	}
	if several {
		fmt.Fprint(table, "\tof each container")
	}
	fmt.Fprintln(table)
	for _, m := range methods {
		fmt.Fprintf(table, "  %s(%s)", m.Name, m.Parameters)
		for _, c := range m.Costs {
			fmt.Fprintf(table, "\t%d / %d", c.Requests, c.Units)
		}
		if several {
			fmt.Fprintf(table, "\t%s", m.Containers)
		}
		fmt.Fprintf(table, "\t%s\n", m.Cost)
	}
	return table.Flush()
}

// writeTables prints how the key of the index is made, and the cost of its queries.
func (x Index) writeTables(table *tabwriter.Writer) error {
	fmt.Fprintf(table, "\n  index\t%s, with entries of type %s\n", x.Name, x.Entry)
	fmt.Fprintf(table, "  container\t%s\n", x.Container)
	fmt.Fprintf(table, "  partition key\t%s at %s\n", x.Layout, strings.Join(x.Paths, ", "))
	fmt.Fprintf(table, "  example\t%s\n", x.ExampleKey)
	if x.Selected != nil {
		fmt.Fprintf(table, "  properties\t%s\n", strings.Join(x.Selected, ", "))
	}
	if x.Later {
		fmt.Fprint(table, "  reads\tnone: this release only writes the property of the key\n")
	}
	for _, advice := range x.Advice {
		fmt.Fprintf(table, "  advice\t%s\n", advice)
	}
	if err := table.Flush(); err != nil || x.Later {
		return err
	}
	return writeMethods(table, x.Methods, false)
}

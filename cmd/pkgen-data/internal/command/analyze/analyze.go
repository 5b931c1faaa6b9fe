package analyze

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/pictures"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Commands returns the commands on samples: analyze, and those that also read a file of
// measurements by programs or the service.
func Commands() []cli.Command {
	return []cli.Command{
		{
			Name: "analyze", Arguments: "[packages]",
			Help:     "show how keys spread a sample of documents",
			About:    "Shows how layouts spread a sample: busy keys, physical partitions, findings.",
			Examples: [][2]string{{"pkgen-data analyze -in fleet/events.ndjson -layout '{date}' ./fleet", ""}},
			Bind:     bindAnalyze,
		},
		{
			Name: "calls", Arguments: "FILE [packages]",
			Help:     "show what calls cost under layouts",
			About:    "Analyzes a sample, and shows what calls cost. The file has the calls per second of each method.",
			Examples: [][2]string{{"pkgen-data calls fleet/calls.json -in fleet/events.ndjson ./fleet", ""}},
			Bind: func(flags *flag.FlagSet) cli.Action {
				a := newAnalyzing(flags)
				return a.with(&a.calls, "calls needs a file of the calls a second by method: pkgen-data calls FILE")
			},
		},
		{
			Name: "rulog", Arguments: "FILE [packages]",
			Help:     "show hot keys in Azure's log of request units",
			About:    "Shows hot keys in Azure's log CDBPartitionKeyRUConsumption (CSV or JSON), and how other layouts would have spread the load, by a sample or by the logged keys.",
			Examples: [][2]string{{"pkgen-data rulog log.csv -layout '{vin}' ./fleet", ""}},
			Bind: func(flags *flag.FlagSet) cli.Action {
				a := newAnalyzing(flags)
				return a.with(&a.log, "rulog needs a file of Azure's log: pkgen-data rulog FILE")
			},
		},
		{
			Name: "usage", Arguments: "FILE",
			Help:     "show which tenants need their own container",
			About:    "Shows how much each tenant used, and which tenants need their own container. The file has the counts of a tenancy.Meter.",
			Examples: [][2]string{{"pkgen-data usage fleet/usage.ndjson", ""}},
			Bind: func(flags *flag.FlagSet) cli.Action {
				a := newUsing(flags)
				return a.with(&a.usage, "usage needs a file of what meters of tenants counted: pkgen-data usage FILE")
			},
		},
	}
}

// analyzing holds the flags of analyze, and the files of the other commands.
type analyzing struct {
	target.Place

	typ, in, out, time     *string
	calls, log, usage      string // names of files
	layouts, failOn        wordList
	indexes                wordList
	buckets, partitions    numbers
	sample, limit, budget  *float64
	seed                   *uint64
	maxShare, maxPartition *string
	format                 *cli.Choice
	limits                 analyze.Limits
}

// bindAnalyze declares the flags of analyze.
func bindAnalyze(flags *flag.FlagSet) cli.Action { return newAnalyzing(flags).run }

// newUsing declares the flags of the output.
func newUsing(flags *flag.FlagSet) *analyzing {
	a := &analyzing{
		out:    flags.String("o", "", "write charts to this `file`: .html or .svg"),
		format: cli.NewChoice(flags, "format", cli.FormatText, "how the report is printed", cli.FormatText, cli.FormatJSON, cli.FormatGitHub),
	}
	flags.Var(&a.failOn, "fail-on", "exit with 1 on findings of this `name`; repeatable")
	return a
}

// newAnalyzing declares the flags of a sample and its layouts.
func newAnalyzing(flags *flag.FlagSet) *analyzing {
	a := newUsing(flags)
	a.typ = flags.String("type", "", "the type, by `name`, if the packages have several")
	a.in = flags.String("in", "", "the sample is a `file`, or - for standard input")
	a.Place = target.NewPlace(flags, "the sample is the container with this `id`")
	a.time = flags.String("time", "", "the `property` that has the time of a document")
	a.sample = flags.Float64("sample", 100, "read this `percentage` of a container")
	a.limit = target.NewLimit(flags)
	a.budget = target.NewBudget(flags)
	a.seed = flags.Uint64("seed", 0, "the `number` that seeds the sample")
	a.maxShare = flags.String("max-share", "", "fail if a key has more than this `percentage`")
	a.maxPartition = flags.String("max-partition", "", "fail if a key has more than this `size`: 10GB")
	a.partitions = numbers{5, 20, 50}
	flags.Var(&a.layouts, "layout", "another layout, by `template`; repeatable")
	flags.Var(&a.indexes, "index", "a secondary index, by `template`; repeatable")
	flags.Var(&a.buckets, "buckets", "other bucket counts, a comma-separated `list`")
	flags.Var(&a.partitions, "partitions", "numbers of physical partitions, a `list`")
	return a
}

// with returns the action of a command whose first argument is a file.
func (a *analyzing) with(file *string, missing string) cli.Action {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) == 0 {
			return cli.Fail(stderr, errors.New(missing))
		}
		*file = args[0]
		return a.run(ctx, args[1:], stdout, stderr)
	}
}

// run analyzes a sample.
func (a *analyzing) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := a.analyze(ctx, args, stderr)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if err := a.print(stdout, report); err != nil {
		return cli.Fail(stderr, err)
	}
	if *a.out != "" {
		if err := drawReport(*a.out, report); err != nil {
			return cli.Fail(stderr, err)
		}
	}
	if a.found(report) {
		return cli.Found
	}
	return cli.Done
}

// print prints a report in the format of the flags.
func (a *analyzing) print(w io.Writer, r *analyze.Report) error {
	var err error
	switch a.format.Value {
	case cli.FormatJSON:
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "\t")
		err = encoder.Encode(r)
	case cli.FormatGitHub:
		_, err = io.WriteString(w, analysisCommands(r))
	default:
		_, err = io.WriteString(w, analysisText(r))
	}
	return err
}

// found reports whether a report has a finding that -fail-on, -max-share or -max-partition names.
func (a *analyzing) found(r *analyze.Report) bool {
	for _, l := range r.Layouts {
		if l.Exceeds(a.limits) || slices.ContainsFunc(l.Findings, a.fails) {
			return true
		}
	}
	for _, x := range r.Indexes {
		if x.Keys.Exceeds(a.limits) || slices.ContainsFunc(x.Keys.Findings, a.fails) {
			return true
		}
	}
	return r.Logged != nil && slices.ContainsFunc(r.Logged.Findings, a.fails) || r.Usage != nil && slices.ContainsFunc(r.Usage.Findings, a.fails)
}

func (a *analyzing) fails(f analyze.Finding) bool { return slices.Contains(a.failOn, f.Name) }

// check checks the flags.
func (a *analyzing) check() error {
	for _, name := range a.failOn {
		if !slices.Contains(analyze.FindingNames, name) {
			advice := strings.Join(analyze.FindingNames, ", ")
			if near := spelling.Nearest(name, analyze.FindingNames); near != "" {
				advice = fmt.Sprintf("did you mean %q?", near)
			}
			return fmt.Errorf("-fail-on %s is no finding: %s", name, advice)
		}
	}
	if err := checkDrawing(*a.out); err != nil {
		return err
	}
	if a.usage != "" {
		return nil
	}
	if *a.maxShare != "" {
		share, err := strconv.ParseFloat(strings.TrimSuffix(*a.maxShare, "%"), 64)
		if err != nil || !(share > 0 && share <= 100) { // NaN fails both comparisons
			return fmt.Errorf("-max-share %s is no percentage: name one above 0, such as 10", *a.maxShare)
		}
		a.limits.MaxShare = share / 100
	}
	if *a.maxPartition != "" {
		size, err := analyze.ParseSize(*a.maxPartition)
		if err != nil {
			return fmt.Errorf("-max-partition %w", err)
		}
		a.limits.MaxPartition = size
	}
	for _, n := range a.partitions {
		if n > mostPartitions {
			return fmt.Errorf("-partitions %d is too many: name at most %d", n, mostPartitions)
		}
	}
	slices.Sort(a.partitions) // the smallest one decides
	if _, err := target.SamplingOf(*a.sample, *a.limit, *a.budget, *a.seed); err != nil {
		return err
	}
	switch sources := cli.Count(*a.in != "", *a.Container != ""); {
	case sources > 1:
		return errors.New("-in and -container are two samples: name one of them")
	case sources == 0 && a.log == "":
		return errors.New("no sample: name a file by -in, or a container by -container")
	case sources == 0 && len(a.indexes) > 0:
		return errors.New("-index needs a sample of documents, and a log has no documents: name a file by -in, or a container by -container")
	}
	return nil
}

// mostPartitions is the maximum number of physical partitions of a spread: 10,000,000 RU/s.
const mostPartitions = 1000

// wordList is a repeatable flag with lists as values.
type wordList []string

func (w *wordList) String() string { return strings.Join(*w, ",") }

// Set adds words. A template may contain commas, so only names are lists.
func (w *wordList) Set(value string) error {
	if strings.Contains(value, "{") {
		*w = append(*w, value)
		return nil
	}
	words := cli.SplitList(value)
	if len(words) == 0 {
		return errors.New("no value: name one, or leave the flag out")
	}
	*w = append(*w, words...)
	return nil
}

// numbers is a flag whose value is a list of numbers above 0.
type numbers []int

func (n *numbers) String() string {
	texts := make([]string, len(*n))
	for i, number := range *n {
		texts[i] = strconv.Itoa(number)
	}
	return strings.Join(texts, ",")
}

// Set replaces the numbers.
func (n *numbers) Set(value string) error {
	*n = nil
	words := cli.SplitList(value)
	if len(words) == 0 {
		return errors.New("no number: name one above 0, or leave the flag out")
	}
	for _, word := range words {
		number, err := strconv.Atoi(word)
		if err != nil || number < 1 {
			return fmt.Errorf("%q is no number above 0", word)
		}
		if !slices.Contains(*n, number) {
			*n = append(*n, number)
		}
	}
	return nil
}

// checkDrawing returns an error for a file that cannot be drawn, because of its extension or a
// missing folder, before a long sample is read.
func checkDrawing(path string) error {
	if path == "" {
		return nil
	}
	if !slices.Contains(pictures.Endings, filepath.Ext(path)) {
		return fmt.Errorf("-o %s does not end in %s, the formats of charts: choose another name", path, strings.Join(pictures.Endings, ", "))
	}
	if folder, err := os.Stat(filepath.Dir(path)); err != nil || !folder.IsDir() {
		return fmt.Errorf("-o %s: there is no folder %s: create it, or choose another one", path, filepath.Dir(path))
	}
	if file, err := os.Stat(path); err == nil && file.IsDir() {
		return fmt.Errorf("-o %s is a folder: name a file", path)
	}
	return nil
}

// drawReport writes the charts of a report to a file. The file contains keys, so others may not
// read it, even if they could read an earlier one.
func drawReport(path string, r *analyze.Report) error {
	drawing, err := pictures.Draw(r, filepath.Ext(path), "pkgen "+cli.Version())
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // who runs the program names the file
	if err != nil {
		return err
	}
	if err = file.Chmod(0o600); err == nil {
		_, err = file.Write(drawing)
	}
	return errors.Join(err, file.Close())
}

package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// samplePage has each kind of block.
func samplePage() *report.Page {
	return &report.Page{
		Title: "The keys of VehicleEvent", By: "pkgen-data analyze", Lead: "250,000 documents of sample.ndjson under three layouts.",
		Facts: []report.Fact{{"documents", "250,000"}, {"logical partitions", "1,204"}},
		Sections: []report.Section{
			{Title: "Findings", Blocks: []report.Block{report.Notices{
				{Level: "error", Name: "hot-key", Text: "2018-08-09 takes 100% of a minute's writes: add a bucket."},
				{Level: "warning", Name: "monotonic-key", Text: "keys follow time"},
				{Level: "note", Name: "approximate", Text: "counts are within 2%"}, {Level: "good", Text: "Use {date}.{vin%400}."},
			}}},
			{Title: "Load", Blocks: []report.Block{
				report.Prose("The load of each partition."), report.Shown{heatMap(20, 600)}, report.Shown{lines()}, report.Shown{curve()},
				report.Shown{&report.Grid{Title: "Candidates", Charts: []report.Chart{heatMap(5, 60), heatMap(5, 60)}, Columns: 2}},
			}},
			{Title: "Candidates", Blocks: []report.Block{report.Shown{bars()}, report.Table{
				Title: "Largest keys", Columns: []string{"key", "documents"}, Rows: [][]string{{"2018-08-09", "12,000"}, {hostile, "7"}},
			}}},
		},
		Foot: "Made without a network.",
	}
}

func html(t *testing.T, p *report.Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPagePolicy compares the content security policy with what the page has: one
// style and one script, by their hashes, and nothing inline besides.
func TestPagePolicy(t *testing.T) {
	text := html(t, samplePage())
	for _, element := range []string{"style", "script"} {
		found := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(text, -1)
		if len(found) != 1 {
			t.Fatalf("%d elements %s", len(found), element)
		}
		sum := sha256.Sum256([]byte(found[0][1]))
		if want := element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(text, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	for _, inline := range []string{` style="`, " onclick", " onload", "http://", "https://", "url(", "@import", " src="} {
		head, _, _ := strings.Cut(text, "<script>")
		if strings.Contains(strings.ReplaceAll(head, "img src=x", ""), inline) {
			t.Errorf("the page has %q", inline)
		}
	}
	if !strings.Contains(text, "default-src 'none'") {
		t.Error("there is no policy for other things")
	}
}

// TestPageIsWellFormed reads a page's elements, also those of hostile texts.
func TestPageIsWellFormed(t *testing.T) {
	p := samplePage()
	for name, c := range hostileCharts() {
		p.Sections = append(p.Sections, report.Section{Title: name + hostile, Blocks: []report.Block{
			report.Shown{c}, report.Prose(hostile), report.Notices{{Level: hostile, Name: hostile, Text: hostile}},
			report.Table{Title: hostile, Columns: []string{hostile, hostile}, Rows: [][]string{{hostile, hostile, hostile}, {hostile}}},
		}})
	}
	p.Title, p.By, p.Lead, p.Foot = hostile, hostile, hostile, hostile
	p.Facts = append(p.Facts, report.Fact{hostile, hostile})
	for _, c := range odd() {
		p.Sections[0].Blocks = append(p.Sections[0].Blocks, report.Shown{c})
	}
	text := html(t, p)
	if strings.Contains(text, "<img") || strings.Contains(text, "\u202e") || strings.Contains(text, "\x1b") || strings.Contains(text, "<b>漢") {
		t.Error("a hostile text is markup, or turns the direction")
	}
	if n := strings.Count(text, "</script>"); n != 2 {
		t.Errorf("%d scripts end", n)
	}
	_, rest, _ := strings.Cut(text, "<main")
	body, _, _ := strings.Cut(rest, "</main>")
	if strings.Contains(body, "NaN") || strings.Contains(body, "Inf") {
		t.Error("a table or a chart has what is no number")
	}
	wellFormed(t, strings.NewReplacer("&#34;", "&quot;").Replace("<main"+body+"</main>"))
}

// TestPageForReaders looks for what screen readers and keyboards need.
func TestPageForReaders(t *testing.T) {
	text := html(t, samplePage())
	for what, want := range map[string]int{
		`<html lang="en">`: 1, `<main id="main"`: 1, `href="#main">Skip`: 1, `<nav aria-label="Contents">`: 1, "<h1>": 1, "<h2 ": 3,
		`aria-live="polite"`: 1, "<figure>": 5, "<details>": 4, `class="view wide" tabindex="0"`: 4, `<th scope="row">`: -1, `role="img" aria-label="`: 10,
	} {
		if n := strings.Count(text, what); n != want && want >= 0 || n == 0 {
			t.Errorf("%d times %s, want %d", n, what, want)
		}
	}
}

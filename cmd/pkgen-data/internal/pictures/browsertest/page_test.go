package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/pictures"
	"github.com/cosmos-pkgen/pkgen/internal/browser"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// sample is a report of 240 minutes under two layouts, one of which has a hot key.
func sample(hostile string) *analyze.Report {
	start := time.Date(2018, 8, 9, 6, 0, 0, 0, time.UTC)
	r := &analyze.Report{
		Type: "VehicleEvent" + hostile, Documents: 400_000, Average: 800, Largest: 4000, Sample: analyze.Sample{Source: "sample.ndjson" + hostile, Share: 1},
		Times: &analyze.Times{Property: "/at", From: start, To: start.Add(4 * time.Hour), Start: start, Seconds: 60, Intervals: 240},
	}
	for i := range 240 {
		r.Times.Documents = append(r.Times.Documents, int64(1600+1000*math.Sin(float64(i)/40)))
	}
	for k, name := range []string{"{date}", "{date}.{vin%400}"} {
		l := &analyze.Layout{
			Layout: name + hostile, Documents: r.Documents, LogicalPartitions: int64(1 + 399*k), WriteRU: 5, Fan: 1 + 399*k,
			Largest:  []analyze.LogicalPartition{{Key: "2018-08-09" + hostile, Documents: 400_000, Share: 1, Bytes: 1 << 28}},
			Curve:    []analyze.Point{{Rank: 1, Documents: 400_000 / int64(1+399*k)}, {Rank: int64(2 + 399*k), Documents: 20}},
			Findings: []analyze.Finding{{Name: analyze.HotKeyFound, Severity: analyze.Bad, Message: "the key is hot: add a bucket" + hostile}},
			Keyless:  []analyze.Keyless{{Property: "vin" + hostile, Reason: "is missing" + hostile, Documents: 1, Lines: []int64{3}}},
			Reads:    &analyze.Reads{RequestUnits: 30 + 900*float64(k), Partitions: 5, One: 1, Methods: []analyze.MethodReads{{Method: "List" + hostile, Calls: 1}}},
		}
		s := &analyze.Spread{Physical: 5, Documents: make([]int64, 5), ByTime: &analyze.SpreadByTime{Median: 1 + 3.4*float64(k), SustainableWrites: 2000 * (1 + 3.4*float64(k))}}
		for i, n := range r.Times.Documents {
			row, ring := make([]uint32, 5), make([]uint32, 128)
			for p := range row {
				if k == 1 || p == 3 {
					row[p] = uint32(n) / uint32(1+4*k)
					ring[p*25+i%2] = row[p]
				}
				s.Documents[p] += int64(row[p])
			}
			s.Series, l.Ring, s.ByTime.Effective = append(s.Series, row), append(l.Ring, ring), append(s.ByTime.Effective, 1+3.4*float64(k))
		}
		l.Partitions = []*analyze.Spread{s}
		r.Layouts = append(r.Layouts, l)
	}
	r.Recommendation = &analyze.Recommendation{Layout: "{date}.{vin%400}" + hostile, Reason: "It spreads writes." + hostile}
	return r
}

// TestLook opens the page at two widths, in both schemes and on paper. It is no wider than
// the window, shows one width of each chart, and has the colours of the scheme.
func TestLook(t *testing.T) {
	b := open(t, pictures.Page(sample(""), "v1"), 1440, "light")
	for _, test := range []struct {
		width          int64
		scheme, ground string
	}{
		{1440, "light", "rgb(246, 247, 249)"}, {390, "light", "rgb(246, 247, 249)"}, {390, "dark", "rgb(20, 23, 27)"}, {1440, "dark", "rgb(20, 23, 27)"},
	} {
		b.Look(test.width, test.scheme)
		b.Until(fmt.Sprintf(`innerWidth === %d && getComputedStyle(document.body).backgroundColor === %q`, test.width, test.ground))
		if wide := browser.Value[int64](b, `document.documentElement.scrollWidth`); wide > test.width {
			t.Errorf("the page is %d pixels wide in a window of %d", wide, test.width)
		}
		charts, shown := browser.Value[int](b, `document.querySelectorAll('figure').length`), browser.Value[int](b, `[...document.querySelectorAll('svg')].filter(e => e.checkVisibility()).length`)
		if charts < 9 || shown != charts {
			t.Errorf("%d pictures are shown of %d charts", shown, charts)
		}
		b.Picture(fmt.Sprintf("report-%d-%s", test.width, test.scheme))
	}
	cell := `getComputedStyle(document.querySelector('figure:has(input) svg .fh0, figure:has(input) svg .lh0')).stroke`
	if dark := browser.Value[string](b, cell); dark != "rgb(34, 39, 46)" {
		t.Errorf("an empty cell is %s in the dark", dark)
	}
	b.Run(chromedp.Evaluate(`document.getElementById('theme').click()`, nil))
	b.Until(`getComputedStyle(document.body).backgroundColor === 'rgb(246, 247, 249)'`)
	b.Until(cell + ` === 'rgb(238, 241, 245)'`)
}

// heatMap is the view of the first heat map.
const heatMap = `document.querySelector('figure:has(input) .view.wide')`

// TestKeyboard reads a heat map with the keyboard alone: the first value is the largest,
// arrows move, Enter keeps tooltips, Escape lets go.
func TestKeyboard(t *testing.T) {
	b := open(t, pictures.Page(sample(""), "v1"), 1440, "light")
	b.Press(forward)
	b.Until(`document.activeElement.className === 'skip'`)
	if top := browser.Value[float64](b, `document.activeElement.getBoundingClientRect().top`); top < 0 {
		t.Errorf("the link to the report is at %v when it has the focus", top)
	}
	tips := func() string {
		return browser.Value[string](b, `[...`+heatMap+`.querySelectorAll('.tip')].map(e => e.innerText).join('; ')`)
	}
	for range 60 {
		if browser.Value[bool](b, `document.activeElement === `+heatMap) {
			break
		}
		b.Press(forward)
	}
	b.Until(heatMap + `.querySelectorAll('.tip').length === 1`)
	if first := tips(); !strings.Contains(first, "partition 3") || !strings.Contains(first, "43.3 documents/s") || !strings.Contains(first, "100% of all rows") {
		t.Errorf("the keyboard begins at %q", first)
	}
	if outline := browser.Value[string](b, `getComputedStyle(document.activeElement).outlineStyle`); outline != "solid" {
		t.Errorf("the focus is %s", outline)
	}
	b.Press(down)
	b.Until(`document.getElementById('told').textContent.includes('partition 4')`)
	b.Press(home, enter, right, right, enter, left)
	if all := tips(); strings.Count(all, "partition 4") != 3 || !strings.Contains(all, "06:00") {
		t.Errorf("the tooltips are %q", all)
	}
	if kept := browser.Value[int](b, heatMap+`.querySelectorAll('.tip.kept').length`); kept != 2 {
		t.Errorf("%d tooltips are kept", kept)
	}
	b.Picture("kept")
	b.Press(escape)
	b.Until(heatMap + `.querySelectorAll('.tip, .mark').length === 0`)
	b.Press(forward) // the brightness
	before := browser.Value[string](b, `getComputedStyle(`+heatMap+`.querySelector('.fh23, .lh23')).stroke + getComputedStyle(`+heatMap+`.closest('figure')).getPropertyValue('--h5')`)
	for range 5 {
		b.Press(right)
	}
	after := browser.Value[string](b, `getComputedStyle(`+heatMap+`.querySelector('.fh23, .lh23')).stroke + getComputedStyle(`+heatMap+`.closest('figure')).getPropertyValue('--h5')`)
	if before == after {
		t.Errorf("brightness changes nothing: %s", after)
	}
}

// TestPointer moves the pointer over charts of each kind, and pins a tooltip by a click.
func TestPointer(t *testing.T) {
	b := open(t, pictures.Page(sample(""), "v1"), 390, "dark")
	for i := range browser.Value[int](b, `document.querySelectorAll('.view.narrow').length`) {
		view := fmt.Sprintf(`document.querySelectorAll('.view.narrow')[%d]`, i)
		b.Run(chromedp.Evaluate(view+`.scrollIntoView({block: 'center', behavior: 'instant'})`, nil))
		at := browser.Value[[]float64](b, `(() => { const r = `+view+`.querySelector('svg').getBoundingClientRect(); return [r.x + r.width * .5, r.y + r.height * .62]; })()`)
		b.Run(chromedp.MouseClickXY(at[0], at[1]))
		b.Until(view + `.querySelectorAll('.tip.kept').length === 1`)
		if box := browser.Value[[]float64](b, `(() => { const r = `+view+`.querySelector('.tip').getBoundingClientRect(); return [r.left, r.right, r.height]; })()`); box[0] < 0 || box[1] > 390 || box[2] < 20 {
			t.Errorf("the tooltip of chart %d is from %v to %v", i, box[0], box[1])
		}
		b.Run(chromedp.MouseClickXY(at[0], at[1]))
		b.Until(view + `.querySelectorAll('.tip.kept').length === 0`)
	}
}

// TestTextsAreNotMarkup shows keys, layouts and messages that are HTML, turn the direction
// of writing, break lines, or are long. The page shows them, and makes no elements of them.
func TestTextsAreNotMarkup(t *testing.T) {
	hostile := "<img src=x onerror=alert(1)>\n\u202e</script><script>alert(2)</script>\"'&" + strings.Repeat("long", 400)
	p := pictures.Page(sample(hostile), "v1")
	p.Sections = append(p.Sections, report.Section{Title: hostile, Blocks: []report.Block{report.Shown{Chart: &report.Grid{Title: hostile, Charts: []report.Chart{
		&report.Lines{Title: hostile, X: report.Names(hostile, hostile), Series: []report.Series{{Name: hostile, Values: []float64{1}}}, Unit: hostile},
	}}}}})
	for _, width := range []int64{1440, 390} {
		b := open(t, p, width, "light")
		if n := browser.Value[int](b, `document.querySelectorAll('img, [onerror], [src], iframe, body script:not([id]):not(:last-of-type)').length`); n != 0 {
			t.Errorf("%d elements come from data", n)
		}
		if !browser.Value[bool](b, `document.body.innerText.includes('<img src=x onerror=alert(1)>\\n\\u202e</script>')`) {
			t.Error("the text is not shown as it is")
		}
		if browser.Value[bool](b, `document.documentElement.outerHTML.includes('\u202e')`) {
			t.Error("a character that turns the direction of writing is in the page")
		}
		if wide := browser.Value[int64](b, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("the page is %d pixels wide in a window of %d", wide, width)
		}
		b.Run(chromedp.Evaluate(`document.querySelectorAll('.view').forEach(v => { v.focus(); v.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'})); v.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})); })`, nil))
		if n := browser.Value[int](b, `document.querySelectorAll('.tip img, .tip script').length`); n != 0 {
			t.Errorf("%d elements of tooltips come from data", n)
		}
		b.Picture(fmt.Sprintf("hostile-%d", width))
	}
}

// TestPrint looks at the page on paper, of a dark screen: light, with its charts in their
// wide form, and without controls.
func TestPrint(t *testing.T) {
	b := open(t, pictures.Page(sample(""), "v1"), 390, "dark")
	b.Run(chromedp.Evaluate(`document.getElementById('theme').click(); document.getElementById('theme').click()`, nil))
	b.Until(`document.documentElement.dataset.theme === 'dark'`)
	b.Run(emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	b.Until(`getComputedStyle(document.querySelector('h1')).color === 'rgb(22, 25, 29)'`)
	for _, selector := range []string{".top", "nav", ".controls", "details", ".view.narrow"} {
		if browser.Value[bool](b, `[...document.querySelectorAll(`+browser.Quote(selector)+`)].some(e => e.checkVisibility())`) {
			t.Errorf("%s is printed", selector)
		}
	}
	if !browser.Value[bool](b, `[...document.querySelectorAll('.view.wide svg')].every(e => e.checkVisibility())`) {
		t.Error("a chart is not printed")
	}
}

// TestWithoutScript opens the page where scripts do not run: charts and tables are there,
// and no control that would do nothing.
func TestWithoutScript(t *testing.T) {
	b := open(t, pictures.Page(sample(""), "v1"), 1440, "light")
	b.Run(emulation.SetScriptExecutionDisabled(true), page.Reload())
	b.Until(`!document.querySelector('.live') && document.querySelector('footer')`)
	if browser.Value[bool](b, `[...document.querySelectorAll('.needs')].some(e => e.checkVisibility())`) {
		t.Error("a control is shown")
	}
	if !browser.Value[bool](b, `[...document.querySelectorAll('.view.wide svg')].every(e => e.checkVisibility())`) {
		t.Error("a chart is not shown")
	}
	if rows := browser.Value[int](b, `document.querySelectorAll('details tbody tr').length`); rows < 100 {
		t.Errorf("the tables have %d rows", rows)
	}
}

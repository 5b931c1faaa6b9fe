package watch

import (
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// ServeHTTP serves the summary: as a page, or as the JSON of [Summary] to a client that prefers
// application/json to HTML. It answers GET and HEAD. It does not authenticate clients: restrict
// access to it.
func (r *Recent) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept")
	if request.Method != http.MethodGet && request.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method "+strconv.Quote(request.Method)+" is not allowed: use GET", http.StatusMethodNotAllowed)
		return
	}
	s := r.Summary()
	var body strings.Builder
	if prefersJSON(request.Header.Values("Accept")) {
		h.Set("Content-Type", "application/json")
		encoder := json.NewEncoder(&body)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(s); err != nil {
			http.Error(w, "the summary cannot be written as JSON", http.StatusInternalServerError)
			return
		}
	} else {
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "frame-ancestors 'none'") // the page has the rest
		if err := s.page(r.Keys).Write(&body); err != nil {
			http.Error(w, "the page cannot be written", http.StatusInternalServerError)
			return
		}
	}
	if request.Method == http.MethodGet {
		_, _ = w.Write([]byte(body.String())) // the client may have left
	}
}

// prefersJSON reports whether a client prefers JSON to HTML. A client that accepts anything
// gets the page.
func prefersJSON(accept []string) bool {
	asJSON, asHTML := 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, parameters, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil {
			continue
		}
		quality, err := strconv.ParseFloat(parameters["q"], 64)
		if err != nil {
			quality = 1
		}
		switch kind {
		case "application/json":
			asJSON = max(asJSON, quality)
		case "text/html", "application/xhtml+xml":
			asHTML = max(asHTML, quality)
		}
	}
	return asJSON > asHTML
}

// shownBars is the number of bars of one kind.
const shownBars = 12

// page returns the summary as a page. Keys is whether Recent.Keys is set.
func (s *Summary) page(keys bool) *report.Page {
	length := s.To.Sub(s.From)
	p := &report.Page{
		Title: "Requests of the last " + spoken(length), By: "pkgen watch",
		Lead: "The requests of this process to Cosmos DB from " + s.From.Format("15:04:05") + " to " + s.To.Format("15:04:05") + " UTC. Reload the page for later ones.",
		Foot: "This page loads nothing and sends nothing. A request for application/json returns its numbers.",
		Facts: []report.Fact{
			{Name: "requests", Value: strconv.Itoa(s.Totals.Requests)},
			{Name: "request units", Value: report.Number(s.Totals.RequestUnits)},
			{Name: "request units a second", Value: report.Number(s.Totals.RequestUnits / max(1, length.Seconds()))},
			{Name: "retries", Value: strconv.Itoa(s.Totals.Retries)},
			{Name: "throttled attempts", Value: strconv.Itoa(s.Totals.Throttled)},
			{Name: "failed", Value: strconv.Itoa(s.Totals.Failed)},
		},
	}
	if s.Totals.Requests == 0 {
		p.Sections = []report.Section{{Title: "Nothing yet", Blocks: []report.Block{report.Notices{{Level: "note", Text: "There were no requests. Pass the method Observe to repositories with repository.WithObserver."}}}}}
		return p
	}
	p.Sections = []report.Section{s.partitions(), s.operations(), s.refused()}
	if keys {
		p.Foot += " It has keys of documents: protect it like the data."
		p.Sections = append(p.Sections, s.keys())
	}
	return p
}

// spoken returns a time in words, to the minute if it is long.
func spoken(d time.Duration) string {
	if d < 2*time.Minute {
		return strconv.Itoa(int(d.Round(time.Second)/time.Second)) + " seconds"
	}
	return strconv.Itoa(int(d.Round(time.Minute)/time.Minute)) + " minutes"
}

// several reports whether there is more than one container.
func (s *Summary) several() bool {
	for _, p := range s.Partitions {
		if p.Container != s.Partitions[0].Container {
			return true
		}
	}
	return false
}

// name returns the label of a physical partition.
func (s *Summary) name(container, partition string) string {
	if partition == "" {
		partition = "several or unknown"
	}
	if s.several() {
		return short(container) + " " + partition
	}
	return partition
}

// short cuts a name to fit into a chart.
func short(name string) string {
	const most = 40
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return name
}

// partitions shows the load of physical partitions.
func (s *Summary) partitions() report.Section {
	heat := &report.HeatMap{
		Title: "Load of physical partitions", Description: "Request units a second. A row that is darker than the others is a hot physical partition.",
		Columns: report.Times("time", s.From, time.Duration(s.StepSeconds*float64(time.Second)), len(s.RetriesByStep)), Unit: "RU/s", Mean: true,
	}
	bars := &report.Bars{Title: "Request units by physical partition", Unit: "RU", Series: []report.Series{{Name: "request units"}}}
	var names []string
	for i, p := range s.Partitions {
		name := s.name(p.Container, p.Partition)
		if i < shownBars {
			bars.Groups = append(bars.Groups, name)
			bars.Series[0].Values = append(bars.Series[0].Values, p.RequestUnits)
		}
		if i < 50 {
			names = append(names, name)
			rates := make([]float64, len(p.RequestUnitsByStep))
			for j, units := range p.RequestUnitsByStep {
				rates[j] = units / s.StepSeconds
			}
			heat.Values = append(heat.Values, rates)
		}
	}
	heat.Rows = report.Names("physical partition", names...)
	section := report.Section{Title: "Physical partitions", Blocks: []report.Block{report.Shown{Chart: heat}, report.Shown{Chart: bars}}}
	if len(s.Partitions) > shownBars {
		section.Blocks = append(section.Blocks, report.Prose("There are "+strconv.Itoa(len(s.Partitions))+" physical partitions. The charts show the ones with the most request units."))
	}
	return section
}

// operations shows the costs of operations, and the dearest requests.
func (s *Summary) operations() report.Section {
	t := report.Table{
		Title: "Operations", Text: 3,
		Columns: []string{"operation", "type", "container", "requests", "RU", "RU each", "mean ms", "longest ms", "rows", "retries", "throttled", "failed"},
	}
	for _, o := range s.Operations[:min(len(s.Operations), 100)] {
		t.Rows = append(t.Rows, []string{
			o.Op, o.Type, o.Container, strconv.Itoa(o.Requests), report.Number(o.RequestUnits), report.Number(o.RequestUnits / float64(o.Requests)),
			milliseconds(o.MeanSeconds), milliseconds(o.LongestSeconds), strconv.Itoa(o.Rows), strconv.Itoa(o.Retries), strconv.Itoa(o.Throttled), strconv.Itoa(o.Failed),
		})
	}
	dearest := report.Table{
		Title: "The dearest requests", Text: 5,
		Columns: []string{"time", "operation", "type", "container", "physical partition", "RU", "ms", "attempts", "status", "rows"},
	}
	named := false
	for _, r := range s.Dearest {
		named = named || r.ID != "" || r.PartitionKey != "" || r.Tenant != ""
	}
	if named {
		dearest.Columns = []string{"time", "operation", "type", "container", "physical partition", "partition key", "id", "tenant", "RU", "ms", "attempts", "status", "rows"}
		dearest.Text = 8
	}
	for _, r := range s.Dearest {
		row := []string{r.Time.Format("15:04:05"), r.Op, r.Type, r.Container, r.Partition}
		if named {
			row = append(row, r.PartitionKey, r.ID, r.Tenant)
		}
		dearest.Rows = append(dearest.Rows, append(row, report.Number(r.RequestUnits), milliseconds(r.Seconds), strconv.Itoa(r.Attempts), status(r), strconv.Itoa(r.Rows)))
	}
	return report.Section{Title: "Operations", Blocks: []report.Block{t, dearest}}
}

func milliseconds(seconds float64) string { return report.Number(seconds * 1000) }

func status(r RequestSummary) string {
	if r.Status == 0 {
		return "–"
	}
	return strconv.Itoa(r.Status)
}

// refused shows retries and throttled attempts.
func (s *Summary) refused() report.Section {
	section := report.Section{Title: "Retries and throttling"}
	if s.Totals.Retries == 0 && s.Totals.Throttled == 0 {
		section.Blocks = []report.Block{report.Notices{{Level: "good", Text: "No request was repeated or throttled, as far as known: only clients made with repository.Configure report it."}}}
		return section
	}
	chart := &report.Lines{
		Title: "Attempts beyond the first", Description: "Retries, and attempts with status 429.",
		X:    report.Times("time", s.From, time.Duration(s.StepSeconds*float64(time.Second)), len(s.RetriesByStep)),
		Unit: "attempts", Series: []report.Series{{Name: "retries"}, {Name: "throttled"}},
	}
	for i := range s.RetriesByStep {
		chart.Series[0].Values = append(chart.Series[0].Values, float64(s.RetriesByStep[i]))
		chart.Series[1].Values = append(chart.Series[1].Values, float64(s.ThrottledByStep[i]))
	}
	section.Blocks = []report.Block{report.Shown{Chart: chart}}
	t := report.Table{Title: "By physical partition", Columns: []string{"physical partition", "requests", "retries", "throttled", "failed"}}
	for _, p := range s.Partitions {
		if p.Retries+p.Throttled > 0 && len(t.Rows) < 50 {
			t.Rows = append(t.Rows, []string{s.name(p.Container, p.Partition), strconv.Itoa(p.Requests), strconv.Itoa(p.Retries), strconv.Itoa(p.Throttled), strconv.Itoa(p.Failed)})
		}
	}
	section.Blocks = append(section.Blocks, t)
	return section
}

// keys shows the hottest logical partitions.
func (s *Summary) keys() report.Section {
	section := report.Section{Title: "Partition keys"}
	if len(s.Keys) == 0 {
		section.Blocks = []report.Block{report.Prose("No request was for one partition key.")}
		return section
	}
	bars := &report.Bars{Title: "Hottest partition keys", Unit: "RU", Series: []report.Series{{Name: "request units"}}}
	inexact := false
	for i, k := range s.Keys {
		inexact = inexact || k.Error > 0
		if i >= shownBars {
			continue
		}
		name := short(k.PartitionKey)
		if s.several() {
			name = short(k.Container) + " " + name
		}
		bars.Groups = append(bars.Groups, name)
		bars.Series[0].Values = append(bars.Series[0].Values, k.RequestUnits)
	}
	section.Blocks = []report.Block{report.Shown{Chart: bars}}
	if inexact {
		section.Blocks = append(section.Blocks, report.Prose("There were more keys than the limit: a figure may be too high, by the number error in the JSON, and leaves out the times in which the key was not among the hottest."))
	}
	return section
}

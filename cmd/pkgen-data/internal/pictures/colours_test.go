package pictures_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

// TestColours finds the colour of each layout in the legends and at the bars of a page: it
// is the same in each chart.
func TestColours(t *testing.T) {
	r := complete()
	named := regexp.MustCompile(`<path class="[fl]([a-z0-9]+)"[^>]*/>\s*<text[^>]*>([^<]*)</text>`)                  // of a legend
	grouped := regexp.MustCompile(`<text[^>]* text-anchor="end">([^<]*)</text>\s*<path class="f([a-z0-9]+)"[^>]*/>`) // of bars
	colours, charts := map[string]map[string]bool{}, map[string]int{}
	text := page(t, r)
	all := named.FindAllStringSubmatch(text, -1)
	for _, found := range grouped.FindAllStringSubmatch(text, -1) {
		all = append(all, []string{"", found[2], found[1]})
	}
	for _, found := range all {
		name := strings.TrimPrefix(html.UnescapeString(found[2]), "sustained by ")
		for _, l := range r.Layouts {
			if l.Layout == name {
				if colours[name] == nil {
					colours[name] = map[string]bool{}
				}
				colours[name][found[1]] = true
				charts[name]++
			}
		}
	}
	seen := map[string]string{}
	for _, l := range r.Layouts {
		// Two charts of bars, the load, the sorted load, the keys, and two of reads.
		if len(colours[l.Layout]) != 1 || charts[l.Layout] < 7 {
			t.Errorf("%s has %d colours in %d charts: %v", l.Layout, len(colours[l.Layout]), charts[l.Layout], colours[l.Layout])
		}
		for colour := range colours[l.Layout] {
			if other := seen[colour]; other != "" {
				t.Errorf("%s has the colour of %s, %s", l.Layout, other, colour)
			}
			seen[colour] = l.Layout
		}
	}
}

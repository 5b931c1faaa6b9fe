package templates

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestWords(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		snake string
		lower string // with the first word in lower case
	}{
		{"VehicleEvent", []string{"Vehicle", "Event"}, "vehicle_event", "vehicleEvent"},
		{"event", []string{"event"}, "event", "event"},
		{"VIN", []string{"VIN"}, "vin", "vin"},
		{"DeviceID", []string{"Device", "ID"}, "device_id", "deviceID"},
		{"HTTPMethod", []string{"HTTP", "Method"}, "http_method", "httpMethod"},
		{"IDs", []string{"IDs"}, "ids", "ids"},
		{"VINsOfDay", []string{"VINs", "Of", "Day"}, "vins_of_day", "vinsOfDay"},
		{"ASale", []string{"A", "Sale"}, "a_sale", "aSale"},
		{"V2Event", []string{"V2", "Event"}, "v2_event", "v2Event"},
		{"Event2", []string{"Event2"}, "event2", "event2"},
		{"Vehicle_Event", []string{"Vehicle", "Event"}, "vehicle_event", "vehicle_Event"},
		{"_Event", []string{"Event"}, "event", "_Event"},
		{"ÜberEreignis", []string{"Über", "Ereignis"}, "über_ereignis", "überEreignis"},
		{"A", []string{"A"}, "a", "a"},
		{"__", []string{"__"}, "__", "__"},
	}
	for _, test := range tests {
		if got := words(test.name); !slices.Equal(got, test.words) {
			t.Errorf("words of %s: %q, want %q", test.name, got, test.words)
		}
		if got := snakeCase(test.name); got != test.snake {
			t.Errorf("%s in snake case: %s, want %s", test.name, got, test.snake)
		}
		if got := lowerFirstWord(test.name); got != test.lower {
			t.Errorf("%s with a lower first word: %s, want %s", test.name, got, test.lower)
		}
	}
}

// FuzzWords expects words to keep every character but underscores, and to start
// with an upper-case letter unless they start a piece.
func FuzzWords(f *testing.F) {
	for _, name := range []string{"VehicleEvent", "DeviceID", "IDs", "HTTPMethod", "_a_B", "V2", "", "É\xff", "ABsC"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name = strings.ToValidUTF8(name, "")
		if strings.Trim(name, "_") == "" {
			return
		}
		all := words(name)
		if joined := strings.Join(all, ""); joined != strings.ReplaceAll(name, "_", "") {
			t.Fatalf("words of %q are %q", name, all)
		}
		for i, word := range all {
			first := []rune(word)[0]
			if i > 0 && !strings.Contains(name, "_"+word) && !unicode.IsUpper(first) {
				t.Errorf("word %d of %q starts with %q", i, name, first)
			}
		}
	})
}

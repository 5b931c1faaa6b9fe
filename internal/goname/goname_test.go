package goname

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
		{"", []string{""}, "", ""},
		{"OwnerUserID", []string{"Owner", "User", "ID"}, "owner_user_id", "ownerUserID"},
		{"Device_Id", []string{"Device", "Id"}, "device_id", "device_Id"},
		{"meta.long-name", []string{"meta", "long", "name"}, "meta_long_name", "meta.long-name"},
		{"日本", []string{"日本"}, "日本", "日本"},
		{"2nd", []string{"2nd"}, "2nd", "2nd"},
		{"x2Y", []string{"x2", "Y"}, "x2_y", "x2Y"},
	}
	for _, test := range tests {
		if got := Words(test.name); !slices.Equal(got, test.words) {
			t.Errorf("words of %s: %q, want %q", test.name, got, test.words)
		}
		if got := Snake(test.name); got != test.snake {
			t.Errorf("%s in snake case: %s, want %s", test.name, got, test.snake)
		}
		if got := LowerFirstWord(test.name); got != test.lower {
			t.Errorf("%s with a lower first word: %s, want %s", test.name, got, test.lower)
		}
	}
}

func TestLowerWords(t *testing.T) {
	for name, want := range map[string][]string{
		"VIN":         {"vin"},
		"TenantID":    {"tenant", "id"},
		"OwnerUserID": {"owner", "user", "id"},
		"HTTPStatus":  {"http", "status"},
		"Device_Id":   {"device", "id"},
		"X":           {"x"},
		"Größe":       {"größe"},
	} {
		if got := LowerWords(name); !slices.Equal(got, want) {
			t.Errorf("words of %s: %q, want %q", name, got, want)
		}
	}
}

func TestUpperFirst(t *testing.T) {
	for name, want := range map[string]string{"event": "Event", "Event": "Event", "über": "Über", "_a": "_a", "2nd": "2nd"} {
		if got := UpperFirst(name); got != want {
			t.Errorf("%s with an upper-case letter: %s, want %s", name, got, want)
		}
	}
}

// FuzzWords expects words to keep every letter and digit, and to start with an
// upper-case letter unless they start a piece.
func FuzzWords(f *testing.F) {
	for _, name := range []string{"VehicleEvent", "DeviceID", "IDs", "HTTPMethod", "_a_B", "V2", "", "a.b-C", "0t t", "É\xff", "ABsC"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		var all []string
		for _, piece := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			words := Words(piece)
			if joined := strings.Join(words, ""); joined != piece {
				t.Fatalf("words of %q are %q", piece, words)
			}
			for _, word := range words[1:] {
				if first := []rune(word)[0]; !unicode.IsUpper(first) {
					t.Errorf("a word of %q starts with %q", piece, first)
				}
			}
			all = append(all, words...)
		}
		if got := Words(name); all != nil && !slices.Equal(got, all) {
			t.Errorf("words of %q are %q, those of its pieces %q", name, got, all)
		}
	})
}

package advice

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestParseHeader(t *testing.T) {
	known := Entry{"QA1002", Rules[2].Message, "https://aka.ms/CosmosDB/QueryAdvisor/QA1002"}
	tests := []struct {
		header string
		want   []Entry
	}{
		{"", nil},
		{"%5B%5D", nil},
		{"null", nil},
		{`%5B%7B%22Id%22%3A%22QA1002%22%2C%22Params%22%3A%5B%5D%7D%5D`, []Entry{known}},
		{`[{"Id":"QA1002"},{"Id":"QA1002","Params":["c.name","c.city"]}]`, []Entry{known, {known.Rule, known.Message + " (c.name, c.city)", known.Link}}},
		{`[{"Id":"QA2000","Params":["a+b 100%25"]}]`, []Entry{{"QA2000", `{"Id":"QA2000","Params":["a+b 100%"]}`, "https://aka.ms/CosmosDB/QueryAdvisor/QA2000"}}},
		{`[{"Id":"../x","Params":[]},7,{"id":"QA1000"}]`, []Entry{{Message: `{"Id":"../x","Params":[]}`}, {Message: "7"}, {"QA1000", Rules[0].Message, "https://aka.ms/CosmosDB/QueryAdvisor/QA1000"}}},
		{`[{"Id":"QA1000","Params":7}]`, []Entry{{Message: `{"Id":"QA1000","Params":7}`}}},
		{"QA1002: use%20STARTSWITH", []Entry{{Message: "QA1002: use STARTSWITH"}}},
		{"100% wrong", []Entry{{Message: "100% wrong"}}},
		{`{"Id":"QA1000"}`, []Entry{{Message: `{"Id":"QA1000"}`}}},
	}
	for _, test := range tests {
		if got := ParseHeader(test.header); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.header, got, test.want)
		}
	}
}

func FuzzParseHeader(f *testing.F) {
	f.Add(`%5B%7B%22Id%22%3A%22QA1002%22%7D%5D`)
	f.Add(`[{"Id":"QA1","Params":["x"]},null]`)
	f.Fuzz(func(t *testing.T, header string) {
		for _, e := range ParseHeader(header) {
			if (e.Rule == "") != (e.Link == "") || e.Rule == "" && e.Message == "" {
				t.Errorf("%q: %+v", header, e)
			}
			if e.Link != "" {
				if u, err := url.Parse(e.Link); err != nil || u.Host != "aka.ms" || !strings.HasSuffix(u.Path, "/"+e.Rule) {
					t.Errorf("%q: the link is %q", header, e.Link)
				}
			}
		}
	})
}

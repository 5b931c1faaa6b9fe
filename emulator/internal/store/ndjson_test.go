package store

import (
	"strings"
	"testing"
	"time"
)

// TestFirstLineOfAFile checks that nothing on it is passed over.
func TestFirstLineOfAFile(t *testing.T) {
	_, err := New(keptLimits).Import(strings.NewReader(keptLine+` {"id":"1","pk":"1"}`), time.Unix(1000, 0))
	if err == nil || !strings.Contains(err.Error(), "line 1: there is more on the line") {
		t.Errorf("a document on the first line: %v", err)
	}
}

// TestLastLineOfAFile refuses a file whose first line says that there is a last one, if it
// is missing, and loads nothing of it.
func TestLastLineOfAFile(t *testing.T) {
	now := time.Unix(1000, 0)
	ends := strings.TrimSuffix(keptLine, "}") + `,"ends":true}`
	for name, row := range map[string]struct {
		text      string
		documents int
		problem   string
	}{
		"whole":              {ends + "\n" + `{"id":"1","pk":"1"}` + "\n" + `{"end":{"documents":1}}` + "\n", 1, ""},
		"cut":                {ends + "\n" + `{"id":"1","pk":"1"}` + "\n", 1, "the file was cut short"},
		"only a first line":  {ends + "\n", 0, "the file was cut short"},
		"a document after":   {ends + "\n" + `{"end":{"documents":0}}` + "\n" + `{"id":"1","pk":"1"}`, 1, ""},
		"written by hand":    {keptLine + "\n" + `{"id":"1","pk":"1"}`, 1, ""},
		"a document of ends": {keptLine + "\n" + `{"end":{"documents":1},"id":"1","pk":"1"}`, 1, ""},
	} {
		a := New(keptLimits)
		done, err := a.Import(strings.NewReader(row.text), now)
		if (err == nil) != (row.problem == "") || err != nil && !strings.Contains(err.Error(), row.problem) || err == nil && done.Documents != row.documents {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
		if _, c := a.Find(done.Database, done.Container); (c != nil) != (err == nil) {
			t.Errorf("%s: the container is there: %t", name, c != nil)
		}
		a = New(keptLimits)
		if _, err := a.Import(strings.NewReader(keptLine), now); err != nil {
			t.Fatal(err)
		}
		_, c := a.Find(done.Database, done.Container)
		stored, err := c.Import(strings.NewReader(row.text), now, func(line int, err error) { t.Errorf("%s: line %d: %v", name, line, err) })
		if stored != row.documents || (err == nil) != (row.problem == "") {
			t.Errorf("%s, into a container: %d documents, %v", name, stored, err)
		}
	}
}

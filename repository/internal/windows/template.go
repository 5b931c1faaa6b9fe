package windows

import (
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/placing"
)

// Template makes the names of windows: a time between fixed texts.
type Template struct {
	parts  placing.Template
	layout string // the time's layout for package time
}

// NewTemplate returns the template with these parts. Texts has the texts of components that
// are not times, by field name.
func NewTemplate(parts []generated.ContainerPart, texts map[string]string) (Template, error) {
	var t Template
	for _, part := range parts {
		switch {
		case part.Layout != "":
			t.layout = part.Layout
		case part.Field != "":
			field := part.Field
			if part = (generated.ContainerPart{Text: texts[field]}); part.Text == "" {
				return t, fmt.Errorf("the name of a window needs a text for %s, and it is empty", field)
			}
		}
		t.parts = append(t.parts, part)
	}
	if t.layout == "" {
		return t, errors.New("the containers of the type have no time in their names, so they are not windows")
	}
	return t, partition.Check("", partition.ContainerID("", t.at(partition.Year(time.Now())).Name))
}

// Window is a container for one period, from Start to before End.
type Window struct {
	Name       string
	Start, End time.Time
}

// at returns the window of the period that begins at start.
func (t Template) at(start time.Time) Window {
	name, _ := t.parts.Name(nil, start) // all other texts are fixed
	return Window{name, start, placing.EndOf(start, t.layout)}
}

// Named returns the window with a name. It returns false if the template does not make
// exactly this name.
func (t Template) Named(name string) (Window, bool) {
	n, ok := t.parts.Read(name)
	if !ok {
		return Window{}, false
	}
	return Window{n.Text, n.Start, n.End}, true
}

// maxWindows bounds the windows of one call. An account does not have room for more ("Azure
// Cosmos DB service quotas").
const maxWindows = 500

// between returns the windows with times from one time to before another.
func (t Template) between(from, to time.Time) ([]Window, error) {
	if !from.Before(to) {
		return nil, fmt.Errorf("the range of windows from %v to %v is empty: from is the first time, and to the time after the last", from, to)
	}
	starts, err := partition.Periods(from, to.Add(-1), t.layout, maxWindows)
	if err != nil {
		return nil, err
	}
	list := make([]Window, len(starts))
	for i, start := range starts {
		list[i] = t.at(start)
	}
	return list, nil
}

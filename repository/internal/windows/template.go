package windows

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Template makes the names of windows: a time between two fixed texts.
type Template struct {
	prefix, suffix string
	layout         string // of the time, for package time
}

// NewTemplate returns the template of which parts are given. Texts has what names have for
// the components that are no times, by the names of their fields.
func NewTemplate(parts []generated.ContainerPart, texts map[string]string) (Template, error) {
	var t Template
	for _, part := range parts {
		text := part.Text
		switch {
		case part.Layout != "":
			t.layout = part.Layout
			continue
		case part.Field != "":
			if text = texts[part.Field]; text == "" {
				return t, fmt.Errorf("the name of a window needs a text for %s, and it is empty", part.Field)
			}
		}
		if t.layout == "" {
			t.prefix += text
		} else {
			t.suffix += text
		}
	}
	if t.layout == "" {
		return t, errors.New("the containers of the type have no time in their names, so they are no windows")
	}
	return t, partition.Check("", partition.ContainerID("", t.at(partition.Year(time.Now())).Name))
}

// Window is a container for one period: from Start on, before End.
type Window struct {
	Name       string
	Start, End time.Time
}

// at returns the window of the period that begins at start.
func (t Template) at(start time.Time) Window {
	return Window{t.prefix + start.Format(t.layout) + t.suffix, start, t.next(start)}
}

// next returns the start of the period after the one that begins at start.
func (t Template) next(start time.Time) time.Time {
	for _, next := range []time.Time{start.Add(time.Hour), start.AddDate(0, 0, 1), start.AddDate(0, 1, 0)} {
		if next.Format(t.layout) != start.Format(t.layout) {
			return next
		}
	}
	return start.AddDate(1, 0, 0)
}

// Named returns the window of a name, and whether the template makes exactly this name.
func (t Template) Named(name string) (Window, bool) {
	text, hasPrefix := strings.CutPrefix(name, t.prefix)
	text, hasSuffix := strings.CutSuffix(text, t.suffix)
	if !hasPrefix || !hasSuffix {
		return Window{}, false
	}
	start, err := time.Parse(t.layout, text)
	if err != nil {
		return Window{}, false
	}
	w := t.at(start.UTC())
	return w, w.Name == name
}

// maxWindows is how many windows may be asked for at once: more than an account has room
// for ("Azure Cosmos DB service quotas").
const maxWindows = 500

// between returns the windows that have times from one time on and before another.
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

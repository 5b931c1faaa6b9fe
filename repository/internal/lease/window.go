package lease

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Window is what a lease says besides, where the documents of a type are in several
// containers. The times are those of the service.
type Window struct {
	Container string    // its id; empty where the type has one container
	Changed   time.Time // when the last changes were handled, or the lease was created; zero if that is not known

	// End says that the period of the container had ended, and that there was nothing
	// after the tag when its changes were read last.
	End bool

	// Closed is when that was found of a lease that nobody needs until it is looked at
	// again. It is zero while its changes are read.
	Closed time.Time
}

// Names of properties within nameProperties, whose values are strings: .NET keeps them.
const (
	nameWindow  = "pkgenWindow"
	nameChanged = "pkgenChanged"
	nameEnd     = "pkgenEnd"
	nameClosed  = "pkgenClosed"
)

// windowOf reads what a lease says of a window. A time that does not parse is zero.
func windowOf(properties []byte) (w Window) {
	said := func(name string) (value string) {
		if json.Unmarshal(text.Member(properties, name), &value) != nil {
			return ""
		}
		return value
	}
	at := func(name string) time.Time {
		t, err := time.Parse(time.RFC3339Nano, said(name))
		if err != nil {
			return time.Time{}
		}
		return t.UTC()
	}
	if w.Container = said(nameWindow); w.Container == "" {
		return w
	}
	w.Changed, w.End, w.Closed = at(nameChanged), said(nameEnd) == "true", at(nameClosed)
	return w
}

// properties are what a lease writes of a window, none if the type has one container.
func (w Window) properties() []property {
	if w.Container == "" {
		return nil
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(timeLayout)
	}
	return []property{{nameWindow, w.Container}, {nameChanged, at(w.Changed)}, {nameEnd, fmt.Sprint(w.End)}, {nameClosed, at(w.Closed)}}
}

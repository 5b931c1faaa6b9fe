package generated

import (
	"maps"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Containers says which of several containers has a document: there is one for each value of a
// container template, such as telemetry-{at|2006-01} or orders-{tenantId}. A container for one
// period of time is a window.
type Containers[K Key] struct {
	// Parts are the template from its start, with which the run time finds the containers of
	// the type in a database.
	Parts []ContainerPart

	// Name returns the name of the container with the document of a valid key.
	Name func(K) string

	// Time returns the time in the name. It is nil if the template has none.
	Time func(K) time.Time

	// Property is the JSON pointer of this time, such as "/at", empty if the template has none.
	Property string

	// Properties is a func(name string) azcosmos.ContainerProperties, which returns the
	// properties for creating a container with this name. Its type is not declared here, since
	// code of other APIs than NoSQL uses this package without azcosmos.
	Properties any

	// Ensure is the name of the generated function that creates a container, for
	// errors, such as "EnsureReadingContainer".
	Ensure string
}

// ContainerPart is a part of a container template: a fixed text, or a component.
type ContainerPart struct {
	Text   string // the fixed text; empty for a component
	Field  string // the Go field of a component, such as "TenantID"
	Layout string // the layout of a time for package time; empty if the component is not a time
}

// in is the set of containers of a query.
type in struct {
	name     string            // of the one container, or empty
	texts    map[string]string // by field, the text of its component in names
	from, to time.Time         // the windows, if bounded
	bounded  bool
}

// In restricts k to the container with this name. The name is made of the components, which the
// query checks before its first request.
func (k Keys) In(name string, components ...partition.Component) Keys {
	return k.inside(func(c *in) { c.name = name }, components)
}

// Named restricts k to the containers whose names have this text for the component of a field,
// as [Containers].Name writes it. It may be called for several fields.
func (k Keys) Named(field, text string, components ...partition.Component) Keys {
	return k.inside(func(c *in) {
		c.texts = maps.Clone(c.texts)
		if c.texts == nil {
			c.texts = map[string]string{}
		}
		c.texts[field] = text
	}, components)
}

// Between restricts k to the windows that a range of time touches, including the window of its
// end. If k has the keys of a range of periods, these are periods of the same time, and each
// window is queried only for its own periods. Within makes the end exclusive.
func (k Keys) Between(from, to time.Time) Keys {
	return k.inside(func(c *in) { c.from, c.to, c.bounded = from, to, true }, nil)
}

func (k Keys) inside(change func(*in), components []partition.Component) Keys {
	var c in
	if k.in != nil {
		c = *k.in
	}
	change(&c)
	k.in = &c
	k.components = append(k.components[:len(k.components):len(k.components)], components...)
	return k
}

// Container returns the name that In has set, or "".
func (k Keys) Container() string {
	if k.in == nil {
		return ""
	}
	return k.in.name
}

// ComponentTexts returns the texts of components that Named has set, by field. The caller must
// not change it.
func (k Keys) ComponentTexts() map[string]string {
	if k.in == nil {
		return nil
	}
	return k.in.texts
}

// Windows returns the times of the first and of the last window that Between has set, and
// whether it has set them. After Resolve, they are the times that documents can have.
func (k Keys) Windows() (from, to time.Time, bounded bool) {
	if k.in == nil {
		return time.Time{}, time.Time{}, false
	}
	return k.in.from, k.in.to, k.in.bounded
}

// Clip restricts k, before Resolve, to one window of Between: if k has the keys of a range of
// periods, to the part of the range from start to before end.
func (k Keys) Clip(start, end time.Time) Keys {
	if k.span == nil || k.in == nil || !k.in.bounded {
		return k
	}
	part := *k.span
	if part.from.Before(start) {
		part.from = start
	}
	if last := end.Add(-1); part.to.After(last) {
		part.to = last
	}
	k.span = &part
	return k
}

package feed

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
)

// severalPosition is how far the change feeds of several containers were read: what
// the cursor of a type with a container template says. It is immutable.
type severalPosition struct {
	Type  string `json:"t"`
	Since int64  `json:"s,omitempty"` // as in Position

	// Containers are those that were opened, in the order of their names.
	Containers []*containerPosition `json:"w"`
}

// containerPosition is how far the change feed of one of several containers was read. It is
// immutable.
type containerPosition struct {
	Name  string `json:"n"`
	RID   string `json:"c"`
	Lanes []lane `json:"l"`

	// End says that each lane had come to its end, and that no change has come since.
	End bool `json:"e,omitempty"`

	// Closed says that the container was closed, and that no change has come since.
	Closed bool `json:"z,omitempty"`
}

// position is c as the position of one container.
func (c *containerPosition) position() Position {
	return Position{Container: c.RID, Lanes: c.Lanes}
}

// advance returns c after a step.
func (c *containerPosition) advance(s step) *containerPosition {
	next := *c
	next.Lanes = c.position().advance(s).Lanes
	if len(s.versions) > 0 {
		next.End, next.Closed = false, false
	}
	if !s.idle && len(s.after) == 1 { // more may come
		next.End = false
	}
	return &next
}

// find returns where the container of this name is among those of p, or belongs.
func (p severalPosition) find(name string) (int, bool) {
	return slices.BinarySearchFunc(p.Containers, name, func(c *containerPosition, name string) int {
		return strings.Compare(c.Name, name)
	})
}

// with returns p with c in place of the container of its name.
func (p severalPosition) with(c *containerPosition) severalPosition {
	i, found := p.find(c.Name)
	after := p.Containers[i:]
	if found {
		after = after[1:]
	}
	p.Containers = slices.Concat(p.Containers[:i], []*containerPosition{c}, after)
	return p
}

// without returns p without the container of this name.
func (p severalPosition) without(name string) severalPosition {
	if i, found := p.find(name); found {
		p.Containers = append(append([]*containerPosition{}, p.Containers[:i]...), p.Containers[i+1:]...) // not nil
	}
	return p
}

// cursor writes p as text.
func (p severalPosition) cursor(keys cursor.Keys) string {
	body, err := json.Marshal(p)
	if err != nil { // texts, numbers and flags only
		panic("repository: " + err.Error())
	}
	return keys.Encode(cursor.ForFeed, body)
}

// among is the position of a page's container among others.
type among struct {
	all  severalPosition
	name string
}

// cursor writes the position in which the container of the page is at p, within the page
// or at its end.
func (a *among) cursor(p Position, keys cursor.Keys) string {
	i, _ := a.all.find(a.name)
	c := *a.all.Containers[i]
	c.Lanes, c.End, c.Closed = p.Lanes, false, false
	return a.all.with(&c).cursor(keys)
}

// errOneContainer is why a cursor is refused that is not of several containers.
var errOneContainer = errors.New("it is of one container, and the documents of the type are in several: begin again without a cursor")

// parseSeveral reads a text that severalPosition.cursor has written.
func parseSeveral(keys cursor.Keys, encodedCursor string) (severalPosition, error) {
	var p struct {
		severalPosition
		One string `json:"c"`
	}
	body, err := keys.Decode(cursor.ForFeed, encodedCursor, cursor.MaxFeed)
	if err != nil {
		return p.severalPosition, err
	}
	if json.Unmarshal(body, &p) != nil || p.Type == "" || p.Since < 0 || p.Since > lastSecond {
		return p.severalPosition, cursor.ErrDamaged
	}
	if p.One != "" {
		return p.severalPosition, errOneContainer
	}
	if p.Containers == nil {
		return p.severalPosition, cursor.ErrDamaged
	}
	before := ""
	for _, c := range p.Containers {
		if c == nil || c.Name <= before || c.RID == "" {
			return p.severalPosition, cursor.ErrDamaged
		}
		before = c.Name
		if err := readLanes(c.Lanes); err != nil {
			return p.severalPosition, err
		}
	}
	return p.severalPosition, nil
}

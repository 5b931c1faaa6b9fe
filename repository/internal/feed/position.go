package feed

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Position is how far a change feed was read, as its cursor stores it. It has no ids of
// physical partitions, so it remains valid after a split. It is immutable.
type Position struct {
	Type      string `json:"t"`
	Container string `json:"c"` // the RID

	// Since is the second of the first changes to deliver; 0 means all.
	Since int64 `json:"s,omitempty"`

	// Lanes cover the key space, without gaps and in its order.
	Lanes []lane `json:"l"`
}

// lane is a part of the key space whose changes are read in order: one physical partition
// at the time when reading began.
type lane struct {
	Min string `json:"-"` // effective partition key: the Max of the previous lane
	Max string `json:"m"`

	// Tag is the ETag of the last page that was delivered whole; the service resumes after
	// it. It is empty before the first.
	Tag string `json:"e,omitempty"`

	// Passed are documents after Tag that were delivered already, because the cursor was
	// taken inside their page. A document that has changed since is another version, and
	// not among them.
	Passed versions `json:"p,omitempty"`
}

// version identifies a version of a document: a hash of its _rid and its _etag, which the
// service changes with every write.
type version [8]byte

func versionOf(document []byte) (version, error) {
	rid, tag := text.ValueAt(document, wire.RIDPath), text.ValueAt(document, wire.ETagPath)
	if rid == nil || tag == nil {
		return version{}, errors.New("the service sent a document without _rid or _etag")
	}
	sum := sha256.Sum256(slices.Concat(rid, tag)) // both in quotes
	return version(sum[:8]), nil
}

// versions are stored as one text.
type versions []version

// MarshalJSON implements json.Marshaler.
func (v versions) MarshalJSON() ([]byte, error) {
	var all []byte
	for _, one := range v {
		all = append(all, one[:]...)
	}
	return json.Marshal(all)
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *versions) UnmarshalJSON(data []byte) error {
	var all []byte
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	if len(all)%len(version{}) != 0 {
		return cursor.ErrDamaged
	}
	*v = nil
	for one := range slices.Chunk(all, len(version{})) {
		*v = append(*v, version(one))
	}
	return nil
}

// newLanes returns a lane for each physical partition.
func newLanes(ranges []wire.FeedRange) []lane {
	lanes := make([]lane, len(ranges))
	for i, r := range ranges {
		lanes[i] = lane{Min: r.MinInclusive, Max: r.MaxExclusive}
	}
	sortLanes(lanes)
	return lanes
}

func sortLanes(lanes []lane) {
	slices.SortFunc(lanes, func(a, b lane) int { return partition.CompareEPK(a.Min, b.Min) })
}

// covered returns an error unless lanes cover the key space from low to below high exactly
// once. Changes in a gap would be lost without an error.
func covered(lanes []lane, low, high string) error {
	next := low
	for _, l := range lanes {
		if partition.CompareEPK(l.Min, next) != 0 || partition.CompareEPK(l.Max, next) <= 0 {
			return fmt.Errorf("a part of the change feed reaches from %q to %q, and begins where another ends, at %q", l.Min, l.Max, next)
		}
		next = l.Max
	}
	if partition.CompareEPK(next, high) != 0 {
		return fmt.Errorf("the parts of the change feed end at %q, not at %q", next, high)
	}
	return nil
}

// step is the effect of a page on a position: the lanes in after replace lane.
type step struct {
	lane     lane
	versions versions // of the page's documents, in order
	after    []lane   // the lane with a new tag, or its parts after a split
	idle     bool     // the lane is at its end
}

func (p Position) at(l lane) int {
	i, _ := slices.BinarySearchFunc(p.Lanes, l, func(a, b lane) int { return partition.CompareEPK(a.Min, b.Min) })
	return i
}

// replace returns p with lane i replaced.
func (p Position) replace(i int, others ...lane) Position {
	p.Lanes = slices.Concat(p.Lanes[:i], others, p.Lanes[i+1:])
	return p
}

// advance returns the position after a step.
func (p Position) advance(s step) Position {
	i := p.at(s.lane)
	if s.idle && s.lane.Tag == s.after[0].Tag && s.lane.Passed == nil {
		return p // the usual poll of an idle feed
	}
	return p.replace(i, s.after...)
}

// Mark is a page of a container, and the positions before it.
type Mark struct {
	all  positions
	name string // of the container
	page step
	keys cursor.Keys
}

// Cursor returns the cursor after the first passed documents of the page.
func (m *Mark) Cursor(passed int) string {
	i, _ := m.all.find(m.name)
	position := m.all.in(m.all.Containers[i])
	if passed == len(m.page.versions) && m.page.after != nil {
		position = position.advance(m.page)
	} else {
		l := m.page.lane
		known := m.page.versions[:passed]
		l.Passed = slices.Concat(known, without(l.Passed, known))
		position = position.replace(position.at(l), l)
	}
	if m.all.one {
		return position.Cursor(m.keys)
	}
	c := *m.all.Containers[i]
	c.Lanes, c.End, c.Closed = position.Lanes, false, false
	return m.all.with(&c).cursor(m.keys)
}

// without returns the elements of v that are not in others.
func without(v, others versions) versions {
	return slices.DeleteFunc(slices.Clone(v), func(one version) bool { return slices.Contains(others, one) })
}

// Cursor returns p as text.
func (p Position) Cursor(keys cursor.Keys) string {
	body, err := json.Marshal(p)
	if err != nil { // texts and numbers only
		panic("repository: " + err.Error())
	}
	return keys.Encode(cursor.ForFeed, body)
}

// lastSecond is the last second of the year 9999: HTTP cannot write a later one.
const lastSecond = 253402300799

// ParseCursor parses a text of Position.Cursor.
func ParseCursor(keys cursor.Keys, encodedCursor string) (Position, error) {
	var p Position
	body, err := keys.Decode(cursor.ForFeed, encodedCursor, cursor.MaxFeed)
	if err != nil {
		return p, err
	}
	if json.Unmarshal(body, &p) != nil || p.Type == "" || p.Container == "" || p.Since < 0 || p.Since > lastSecond {
		return p, cursor.ErrDamaged
	}
	return p, readLanes(p.Lanes)
}

// readLanes sets Min of each lane of a cursor. It returns an error if the lanes are
// invalid.
func readLanes(lanes []lane) error {
	next := route.FirstKey
	for i := range lanes {
		l := &lanes[i]
		if !cursor.IsBound(l.Max) || !cursor.FitsHeader(l.Tag) {
			return cursor.ErrDamaged
		}
		l.Min, next = next, l.Max
	}
	if covered(lanes, route.FirstKey, route.LastKey) != nil {
		return cursor.ErrDamaged
	}
	return nil
}

// positions is how far the change feeds of all containers of a type were read. It is
// immutable. As text it is the cursor of a type with a container template. The cursor of a
// type with one container is a Position.
type positions struct {
	one bool

	Type  string `json:"t"`
	Since int64  `json:"s,omitempty"` // as in Position

	// Containers are the containers that were opened, sorted by name.
	Containers []*containerPosition `json:"w"`
}

// containerPosition is how far the change feed of one of several containers was read. It is
// immutable.
type containerPosition struct {
	Name  string `json:"n"`
	RID   string `json:"c"`
	Lanes []lane `json:"l"`

	// End says that each lane was at its end, and no change has come since.
	End bool `json:"e,omitempty"`

	// Closed says that the container was closed, and no change has come since.
	Closed bool `json:"z,omitempty"`
}

// in returns the position of one of the containers.
func (p positions) in(c *containerPosition) Position {
	return Position{Type: p.Type, Container: c.RID, Since: p.Since, Lanes: c.Lanes}
}

// advance returns c after a step.
func (c *containerPosition) advance(s step) *containerPosition {
	next := *c
	next.Lanes = Position{Lanes: c.Lanes}.advance(s).Lanes
	if len(s.versions) > 0 {
		next.End, next.Closed = false, false
	}
	if !s.idle && len(s.after) == 1 { // more may follow
		next.End = false
	}
	return &next
}

// find returns the index of a container in p, or where it would be inserted, and whether it
// is there.
func (p positions) find(name string) (int, bool) {
	return slices.BinarySearchFunc(p.Containers, name, func(c *containerPosition, name string) int {
		return strings.Compare(c.Name, name)
	})
}

// with returns p with c replacing the container of its name.
func (p positions) with(c *containerPosition) positions {
	i, found := p.find(c.Name)
	after := p.Containers[i:]
	if found {
		after = after[1:]
	}
	p.Containers = slices.Concat(p.Containers[:i], []*containerPosition{c}, after)
	return p
}

// without returns p without the container of this name.
func (p positions) without(name string) positions {
	if i, found := p.find(name); found {
		p.Containers = append(append([]*containerPosition{}, p.Containers[:i]...), p.Containers[i+1:]...) // not nil
	}
	return p
}

func (p positions) cursor(keys cursor.Keys) string {
	if p.one {
		return p.in(p.Containers[0]).Cursor(keys)
	}
	body, err := json.Marshal(p)
	if err != nil { // texts, numbers and flags only
		panic("repository: " + err.Error())
	}
	return keys.Encode(cursor.ForFeed, body)
}

// errOneContainer is the error of a cursor for one container, if the type has several.
var errOneContainer = errors.New("it is of one container, and the documents of the type are in several: begin again without a cursor")

// parseSeveral parses a cursor for several containers.
func parseSeveral(keys cursor.Keys, encodedCursor string) (positions, error) {
	var p struct {
		positions
		One string `json:"c"`
	}
	body, err := keys.Decode(cursor.ForFeed, encodedCursor, cursor.MaxFeed)
	if err != nil {
		return p.positions, err
	}
	if json.Unmarshal(body, &p) != nil || p.Type == "" || p.Since < 0 || p.Since > lastSecond {
		return p.positions, cursor.ErrDamaged
	}
	if p.One != "" {
		return p.positions, errOneContainer
	}
	if p.Containers == nil {
		return p.positions, cursor.ErrDamaged
	}
	before := ""
	for _, c := range p.Containers {
		if c == nil || c.Name <= before || c.RID == "" {
			return p.positions, cursor.ErrDamaged
		}
		before = c.Name
		if err := readLanes(c.Lanes); err != nil {
			return p.positions, err
		}
	}
	return p.positions, nil
}

// parsePositions parses a text of positions.cursor.
func parsePositions(keys cursor.Keys, encodedCursor string, one bool) (positions, error) {
	if !one {
		return parseSeveral(keys, encodedCursor)
	}
	p, err := ParseCursor(keys, encodedCursor)
	return positions{true, p.Type, p.Since, []*containerPosition{{RID: p.Container, Lanes: p.Lanes}}}, err
}

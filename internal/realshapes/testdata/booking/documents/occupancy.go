package documents

import "github.com/cosmos-pkgen/pkgen/repository"

// An Occupancy counts the bookings of each room of a house, by the change feed.
type Occupancy struct {
	_      struct{}        `cosmos:"container=occupancies"`
	ID     string          `json:"id"` // of the house
	Tenant string          `json:"tenant" cosmos:"pk,tenant"`
	Stays  map[string]Stay `json:"stays"` // by the ids of bookings
	Rooms  map[int]int     `json:"rooms"`
}

// A Stay is a booking as it was counted.
type Stay struct {
	Room    int             `json:"room"`
	Created repository.Time `json:"created"`
	Version int             `json:"version"`
	Gone    bool            `json:"gone,omitempty"`
}

// Count counts a booking, unless this version of it or a later one is counted already. A
// booking that was purged and created again begins at version 1, and was created later.
func (o *Occupancy) Count(b *Booking, gone bool) {
	stay := Stay{Room: b.Room, Created: b.Created, Version: b.Version, Gone: gone}
	counted := o.Stays[b.ID]
	newer := stay.Created.Time().Compare(counted.Created.Time())
	if newer < 0 || newer == 0 && stay.Version <= counted.Version {
		return
	}
	if o.Stays == nil {
		o.Stays, o.Rooms = map[string]Stay{}, map[int]int{}
	}
	if counted.Version > 0 && !counted.Gone {
		o.Rooms[counted.Room]--
		if o.Rooms[counted.Room] == 0 {
			delete(o.Rooms, counted.Room)
		}
	}
	if !gone {
		o.Rooms[stay.Room]++
	}
	o.Stays[b.ID] = stay
}

// Has reports whether the cancellation of a booking is counted.
func (o *Occupancy) Has(cancelled *Booking) bool {
	stay := o.Stays[cancelled.ID]
	return stay.Gone && stay.Version == cancelled.Version && stay.Created.Equal(cancelled.Created)
}

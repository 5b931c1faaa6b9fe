package main

// A DailySum is how far a vehicle has driven on a day, with all journeys that it
// includes.
//
// A processor handles every change at least once: the changes of a worker that was
// killed come again, and for a moment two workers may handle the same ones. A sum to
// which each call of the handler adds would count such journeys twice. This one is right
// because of three things:
//
//  1. It includes a journey by its id and revision, and not at all if it has this
//     revision or a later one. So it does not matter how often a journey comes, nor in
//     which order its revisions come.
//  2. Journeys and sum are one document, and so one write: there is no moment at which a
//     crash leaves a journey that is noted and not counted, or the other way round.
//  3. The write depends on the ETag that was read. If two workers include journeys in one
//     sum at the same time, the second write is refused, and is made again from the sum
//     that has the journeys of the first.
//
// The processor does the rest: it saves progress after the handler has succeeded, so
// each journey is included before it is done with.
//
// A journey takes some 50 bytes here, and a document may have 2 MB: enough for what one
// vehicle drives in a day. For sums of many thousands, store a document for each
// journey next to the sum, under the same partition key, and write both in one
// transaction.
type DailySum struct {
	ID       string              `json:"id"` // the date
	VIN      string              `json:"vin" cosmos:"pk"`
	Metres   int                 `json:"metres"`   // of all journeys
	Journeys map[string]Included `json:"journeys"` // by id
	ETag     string              `json:"_etag,omitempty"`
}

// Included is what a sum includes of a journey.
type Included struct {
	Metres   int `json:"metres"`
	Revision int `json:"revision"`
}

// include includes a journey, unless the sum has this revision or a later one.
func (s *DailySum) include(t *Journey) {
	before := s.Journeys[t.ID]
	if t.Revision <= before.Revision {
		return
	}
	if s.Journeys == nil {
		s.Journeys = map[string]Included{}
	}
	s.Journeys[t.ID] = Included{t.Metres, t.Revision}
	s.Metres += t.Metres - before.Metres
}

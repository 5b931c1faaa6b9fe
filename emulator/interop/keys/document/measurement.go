package document

import "time"

// A Measurement has one text for its partition key, made of everything that a
// key can be made of: a text, a text in lower case, the day of a time, an
// integer, a boolean, and a bucket.
type Measurement struct {
	_      struct{}  `cosmos:"container=measurement,key={Site|lower}:{At|day}:{Meter}:{Label}:{Urgent}.{Serial%16},escape"`
	ID     string    `json:"id" cosmos:"note=hashedid"`
	Site   string    `json:"site"`
	At     time.Time `json:"at"`
	Meter  int64     `json:"meter" cosmos:"note=int64"`
	Label  string    `json:"label"`
	Urgent bool      `json:"urgent"`
	Serial string    `json:"serial"`
	Stored string    `json:"partitionKey" cosmos:"synthetic"`
}

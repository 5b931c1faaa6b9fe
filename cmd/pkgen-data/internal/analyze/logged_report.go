package analyze

import "time"

// Logged is what Azure's log CDBPartitionKeyRUConsumption says: the truth of production.
type Logged struct {
	Records      int64     `json:"records"`
	Invalid      int64     `json:"invalid"`
	From         time.Time `json:"from"`
	To           time.Time `json:"to"`
	RequestUnits float64   `json:"requestUnits"`
	// Keys are the keys with most request units, in descending order.
	Keys []LoggedKey `json:"keys"`
	// Ranges are the physical partitions, by the same order.
	Ranges []LoggedRange `json:"ranges"`
	// Operations are the request units by operation name, in descending order.
	Operations []LoggedOperation `json:"operations"`
	// Layouts says what other layouts would have done, where the log can say it.
	Layouts  []LoggedLayout `json:"layouts"`
	Findings []Finding      `json:"findings"`
}

// LoggedKey is a key in the log.
type LoggedKey struct {
	Key          string  `json:"key"`
	Range        string  `json:"range"` // the last one that had it
	RequestUnits float64 `json:"requestUnits"`
	Share        float64 `json:"share"`
	// Peak is the highest share of the request units of a minute, in one region.
	Peak float64 `json:"peak"`
	// PeakRUs is the most that it used in a minute, in RU/s, in one region.
	PeakRUs float64 `json:"peakRequestUnitsPerSecond"`
}

// LoggedRange is a physical partition in the log.
type LoggedRange struct {
	Range        string  `json:"range"`
	RequestUnits float64 `json:"requestUnits"`
	Share        float64 `json:"share"`
	// PeakRUs is the most that it used in a minute, in RU/s.
	PeakRUs float64 `json:"peakRequestUnitsPerSecond"`
}

// LoggedOperation is an operation in the log.
type LoggedOperation struct {
	Operation    string  `json:"operation"`
	RequestUnits float64 `json:"requestUnits"`
}

// LoggedLayout is what a layout would have done.
type LoggedLayout struct {
	Layout string `json:"layout"`
	// Refused says why the log cannot say it; "" if it can.
	Refused string `json:"refused,omitempty"`
	// Joined is the share of the request units that the figures are of: keys that a sample
	// has, or all of them.
	Joined float64 `json:"joined"`
	// Keys is how many logical partitions the layout would have had; 0 if it is not known.
	Keys int64 `json:"keys,omitempty"`
	// Partitions are the request units on equal physical partitions, an element for each
	// number of them.
	Partitions []LoggedSpread `json:"partitions,omitempty"`
}

// LoggedSpread is how request units spread over physical partitions.
type LoggedSpread struct {
	Physical int `json:"physical"`
	// Effective is how many physical partitions are used: 1 / BusiestShare.
	Effective    float64 `json:"effective"`
	BusiestShare float64 `json:"busiestShare"`
	// RequestUnits has those of each physical partition, in the order of their ranges.
	RequestUnits []float64 `json:"requestUnits"`
}

package analyze

import "time"

// Logged is the content of Azure's log CDBPartitionKeyRUConsumption, which shows production.
type Logged struct {
	Records      int64     `json:"records"`
	Invalid      int64     `json:"invalid"`
	From         time.Time `json:"from"`
	To           time.Time `json:"to"`
	RequestUnits float64   `json:"requestUnits"`
	// Keys are the keys with most request units, in descending order.
	Keys []LoggedKey `json:"keys"`
	// Ranges are the physical partitions, in the same order.
	Ranges []LoggedRange `json:"ranges"`
	// Operations are the request units by operation name, in descending order.
	Operations []LoggedOperation `json:"operations"`
	// Layouts are the figures of other layouts for the logged load, if the log determines
	// them.
	Layouts  []LoggedLayout `json:"layouts"`
	Findings []Finding      `json:"findings"`
}

// LoggedKey is a key in the log.
type LoggedKey struct {
	Key          string  `json:"key"`
	Range        string  `json:"range"` // the last one that served it
	RequestUnits float64 `json:"requestUnits"`
	Share        float64 `json:"share"`
	// Peak is the highest share of the request units of a minute, in one region.
	Peak float64 `json:"peak"`
	// PeakRUs is its maximum usage in a minute, in RU/s, in one region.
	PeakRUs float64 `json:"peakRequestUnitsPerSecond"`
}

// LoggedRange is a physical partition in the log.
type LoggedRange struct {
	Range        string  `json:"range"`
	RequestUnits float64 `json:"requestUnits"`
	Share        float64 `json:"share"`
	// PeakRUs is its maximum usage in a minute, in RU/s.
	PeakRUs float64 `json:"peakRequestUnitsPerSecond"`
}

// LoggedOperation is an operation in the log.
type LoggedOperation struct {
	Operation    string  `json:"operation"`
	RequestUnits float64 `json:"requestUnits"`
}

// LoggedLayout is the spread of the logged load under a layout.
type LoggedLayout struct {
	Layout string `json:"layout"`
	// Refused is the reason why the log does not determine it; "" if it does.
	Refused string `json:"refused,omitempty"`
	// Joined is the share of the request units that the figures cover: the keys in a sample,
	// or all keys.
	Joined float64 `json:"joined"`
	// Keys is the number of logical partitions under the layout; 0 if it is unknown.
	Keys int64 `json:"keys,omitempty"`
	// Partitions is the spread over equal physical partitions, with an element for each number
	// of them.
	Partitions []LoggedSpread `json:"partitions,omitempty"`
}

// LoggedSpread is the spread of request units over physical partitions.
type LoggedSpread struct {
	Physical int `json:"physical"`
	// Effective is the number of physical partitions that are used: 1 / BusiestShare.
	Effective    float64 `json:"effective"`
	BusiestShare float64 `json:"busiestShare"`
	// RequestUnits has the request units of each physical partition, in the order of their
	// ranges.
	RequestUnits []float64 `json:"requestUnits"`
}

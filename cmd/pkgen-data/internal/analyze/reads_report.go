package analyze

// Reads is what the calls of a program cost under a layout.
type Reads struct {
	// RequestUnits and Requests are per second, of all calls together.
	RequestUnits float64 `json:"requestUnits"`
	Requests     float64 `json:"requests"`
	// Calls is how many calls there are per second.
	Calls float64 `json:"calls"`
	// Partitions is how many physical partitions these figures are for.
	Partitions int `json:"partitions"`
	// One, Several and All are the shares of the calls that touch so many physical
	// partitions. Their sum is 1.
	One     float64 `json:"one"`
	Several float64 `json:"several"`
	All     float64 `json:"all"`
	// Methods are the calls by method, in the order of the calls file.
	Methods []MethodReads `json:"methods"`
	// Others are the same for the other numbers of physical partitions that are looked at.
	Others []*Reads `json:"others,omitempty"`
}

// MethodReads is what the calls of one method cost.
type MethodReads struct {
	Method       string  `json:"method"`
	Calls        float64 `json:"calls"`        // per second
	Requests     float64 `json:"requests"`     // of one call
	RequestUnits float64 `json:"requestUnits"` // of one call
	// Partitions is how many physical partitions one call touches.
	Partitions int `json:"partitions"`
}

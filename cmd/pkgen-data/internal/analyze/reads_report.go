package analyze

// Reads is the cost of a program's calls under a layout.
type Reads struct {
	// RequestUnits and Requests are per second, of all calls together.
	RequestUnits float64 `json:"requestUnits"`
	Requests     float64 `json:"requests"`
	// Calls is the number of calls per second.
	Calls float64 `json:"calls"`
	// Partitions is the number of physical partitions for these figures.
	Partitions int `json:"partitions"`
	// One, Several and All are the shares of the calls that touch one, several or all physical
	// partitions. Their sum is 1.
	One     float64 `json:"one"`
	Several float64 `json:"several"`
	All     float64 `json:"all"`
	// Methods are the calls by method, in the order of the calls file.
	Methods []MethodReads `json:"methods"`
	// Others are the same figures for the other numbers of physical partitions.
	Others []*Reads `json:"others,omitempty"`
}

// MethodReads is the cost of the calls of one method.
type MethodReads struct {
	Method       string  `json:"method"`
	Calls        float64 `json:"calls"`        // per second
	Requests     float64 `json:"requests"`     // of one call
	RequestUnits float64 `json:"requestUnits"` // of one call
	// Partitions is the number of physical partitions that one call touches.
	Partitions int `json:"partitions"`
}

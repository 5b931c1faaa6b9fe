package rides

// A Ride is what programs of two releases store at the same time.
type Ride struct {
	ID     string `json:"id" cosmos:"note=hashedid"`
	Day    string `json:"day" cosmos:"pk,hashsuffix=VIN,BUCKETS"`
	VIN    string `json:"vin"`
	Value  string `json:"value"`
	First  int    `json:"first"`
	Second int    `json:"second"`
	Stored string `json:"partitionKey" cosmos:"synthetic"`
	ETag   string `json:"_etag,omitempty"`
}

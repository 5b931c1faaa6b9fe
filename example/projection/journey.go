package main

// A Journey is a distance that a vehicle has driven. Whoever corrects a journey stores it
// again with the next revision. A journey that never was is corrected to 0 metres, since
// the change feed has no deletions.
type Journey struct {
	ID       string `json:"id" cosmos:"note=hashedid"`
	Date     string `json:"date" cosmos:"pk,hashsuffix=VIN,buckets=40"`
	VIN      string `json:"vin"`
	Metres   int    `json:"metres"`
	Revision int    `json:"revision"` // 1, 2, …
	Stored   string `json:"partitionKey" cosmos:"synthetic"`
}

package moving

// An OldVehicleEvent is an event as it is stored until it moves.
type OldVehicleEvent struct {
	_     struct{} `cosmos:"container=vehicle-event,note=synthetic"`
	ID    string   `json:"id" cosmos:"note=hashedid"`
	Date  string   `json:"date" cosmos:"pk,hashsuffix=VIN,buckets=400"`
	VIN   string   `json:"vin"`
	Speed int      `json:"speed"`
	ETag  string   `json:"_etag,omitempty"`
}

// A VehicleEvent is an event as it is stored afterwards.
type VehicleEvent struct {
	_     struct{} `cosmos:"container=vehicle-event-2,formerly=OldVehicleEvent"`
	ID    string   `json:"id"`
	Date  string   `json:"date" cosmos:"pk,level=2"`
	VIN   string   `json:"vin" cosmos:"pk,level=1"`
	Speed int      `json:"speed"`
	ETag  string   `json:"_etag,omitempty"`
}

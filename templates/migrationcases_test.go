package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// movedTypes are types whose documents move to another container: to a key of other
// fields, to one that has all fields of the former key, and unchanged.
func movedTypes() []*Type {
	oldTrip := &Type{
		Name: "OldTrip", Container: "trip", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), hashed(16, text("VIN", "vin"))}}}},
	}
	trip := &Type{
		Name: "Trip", Container: "trip-2", Kind: Hierarchical, ID: id(), Former: oldTrip,
		Key: pk.Key{Levels: []pk.Level{
			{Path: "/fleet", Parts: []pk.Part{part(text("Fleet", "fleet"))}},
			{Path: "/date", Parts: []pk.Part{part(text("Date", "date"))}},
		}},
	}
	oldStay := natural("OldStay", "", text("Hotel", "hotel"))
	stay := natural("Stay", "", text("Hotel", "hotel"))
	stay.Container = "stay-2"
	stay.Former = oldStay
	guest := natural("Guest", "", text("Hotel", "hotel"))
	guest.Former = guest
	return []*Type{oldTrip, trip, oldStay, stay, guest}
}

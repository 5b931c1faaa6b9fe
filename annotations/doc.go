// Package annotations reads the text that says how a document's partition key
// is made: the cosmos struct tag, the formats of times in it, and the template
// that every key layout is printed as.
//
// A cosmos tag is a comma-separated list of words, each alone or with a value:
//
//	type VehicleEvent struct {
//		_    struct{}  `cosmos:"container=events,path=/partitionKey"`
//		ID   string    `json:"id"   cosmos:"id"`
//		Date time.Time `json:"date" cosmos:"pk,format=day,hashsuffix=VIN,buckets=400"`
//		VIN  string    `json:"vin"`
//	}
//
// One table of words, see [Words], drives the parser, its messages and the
// help: a new word is a new row and a place to keep what it says. [ParseField]
// reads the tag of a field, [ParseType] the tag of the blank field, which holds
// the options of the type. Both report every problem, each with the byte
// offsets of the text that is wrong, so that a caller can point at the column.
//
// [Layout] turns the value of the word format into a layout for package time,
// and accepts only layouts whose text is one to one with the period it names.
//
// [Template] is the notation for layouts of keys, short tags included:
//
//	{deviceId}-{date}        two components, concatenated
//	{date}.{vin%400}         a suffix computed from the vin, 1 to 400
//	{date}.{*%400}           a random suffix, 1 to 400
//	{at|2006-01-02}.{vin|lower%400}
//	{tenantId},{userId}      two levels of a hierarchical key
//
// The tags are short forms of it; the word key of the blank field takes it
// whole, with Go field paths:
//
//	_ struct{} `cosmos:"key=customer:{CustomerID}:{Month|month},escape"`
//
// The blank field also has options that do not concern the key: the container, its
// time to live, the orders that it has indexes for, and the value of the property
// type, which tells its documents from those of other types.
//
// The package knows only text. The package that loads Go source judges whether a
// field exists, what type it has, whether its type may be a component, and which
// field of several is the last. All functions are pure and safe for concurrent use.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release; the words of tags do not.
package annotations

package mongo

import "fmt"

// Throughput is the throughput that [Ensure] gives a collection. The zero value accepts any: a
// new collection shares that of its database, or gets 400 request units a second if the
// database has none, unless the account is serverless. Servers other than Cosmos DB's have no
// throughput, and ignore it.
type Throughput struct {
	units int32
	auto  bool
}

// Manual is the collection's own throughput of ru request units a second: 400 or more, in
// steps of 100.
func Manual(ru int32) Throughput { return Throughput{units: ru} }

// Autoscale is the collection's own throughput that scales between a tenth of most and most
// request units a second. Most is 1,000 or more, in steps of 1,000.
func Autoscale(most int32) Throughput { return Throughput{units: most, auto: true} }

// String describes t, such as "autoscale up to 4000 RU/s".
func (t Throughput) String() string {
	switch {
	case t == Throughput{}:
		return "any"
	case t.auto:
		return fmt.Sprintf("autoscale up to %d RU/s", t.units)
	}
	return fmt.Sprintf("manual %d RU/s", t.units)
}

// check refuses an amount that the service refuses (Microsoft's page "Introduction to
// provisioned throughput in Azure Cosmos DB").
func (t Throughput) check() error {
	least, step := int32(400), int32(100)
	if t.auto {
		least, step = 1000, 1000
	}
	if t != (Throughput{}) && (t.units < least || t.units%step != 0) {
		return fmt.Errorf("%v: it must be %d or more, in steps of %d", t, least, step)
	}
	return nil
}

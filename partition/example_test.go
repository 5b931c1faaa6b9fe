package partition_test

import (
	"fmt"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// A key with a pre-calculated suffix: the date, and one of 400 buckets by the
// hash of the vehicle identification number.
func ExampleHash() {
	date, vin := time.Date(2018, 8, 9, 13, 30, 0, 0, time.UTC), "1HGCM82633A004352"

	var buffer [64]byte
	b := partition.AppendTime(buffer[:0], date, "2006-01-02")
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(partition.Hash{}.Text(vin).Bucket(400)), 10)
	key := string(b)

	fmt.Println(key)
	fmt.Println(partition.Suffix(key, ".", 400))
	// Output:
	// 2018-08-09.126
	// 126
}

// A document whose date was never set is refused before a request is sent.
func ExampleCheck() {
	var date time.Time
	err := partition.Check("VehicleEvent",
		partition.ID("evt-0001"),
		partition.Time("Date", date),
		partition.Text("VIN", "1HGCM82633A004352"),
	)
	fmt.Println(err)
	// Output:
	// VehicleEvent.Date: is empty, the zero time: set it before the key is made
}

// The bounds of a partition key range are compared with the effective
// partition key to find the range that holds a key.
func ExampleEPK() {
	epk, err := partition.EPK("2018-08-09.126")
	if err != nil {
		panic(err)
	}
	low, high := "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "FF"
	fmt.Println(epk)
	fmt.Println(partition.CompareEPK(low, epk) <= 0 && partition.CompareEPK(epk, high) < 0)
	// Output:
	// 369A909FFCBDA1D4544ACB6F85621AB0
	// true
}

// The key of a device and a date with the option escape, and what is read back
// of it.
func ExampleParse() {
	b := partition.AppendEscaped(nil, "abc-123", "-")
	b = append(b, '-')
	b = partition.AppendTime(b, time.Date(2018, 8, 9, 13, 30, 0, 0, time.UTC), "2006-01-02")
	fmt.Println(string(b))

	p := partition.Parse("Reading", string(b), "-")
	device := p.Text("DeviceID")
	p.Literal("-")
	date := p.Time("Date", "2006-01-02")
	fmt.Println(device, date, p.Err())

	p = partition.Parse("Reading", "abc-123-2018-08-09", "-")
	p.Text("DeviceID")
	p.Literal("-")
	p.Time("Date", "2006-01-02")
	fmt.Println(p.Err())
	// Output:
	// abc%2D123-2018-08-09
	// abc-123 2018-08-09 00:00:00 +0000 UTC <nil>
	// Reading.Date: is no time of the layout "2006-01-02": this is no key of the type
}

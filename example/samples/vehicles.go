package main

import "github.com/cosmos-pkgen/pkgen/example/fleet"

// fleetSize is how many vehicles there are. Those that are driven all day send many
// times as much as the others.
const fleetSize = 5000

// manufacturers are the first letters of a vehicle identification number.
var manufacturers = []string{"1HG", "3VW", "5YJ", "JTD", "KNA", "VF1", "WAU", "WBA", "WVW", "YV1"}

// A vehicle is what its next signals depend on.
type vehicle struct {
	vin                 string
	speed               int // km/h
	heading             int // degrees
	odometer            int // hundreds of metres
	charge              int // thousandths
	latitude, longitude int // millionths of a degree
}

// vehicles makes the signals of a fleet.
type vehicles struct {
	*draw

	fleet []vehicle
	busy  shares
	first uint64 // what the first id is made of
}

func newVehicles(d *draw) shape {
	v := &vehicles{draw: d, first: d.bits(), fleet: make([]vehicle, fleetSize), busy: zipf(fleetSize, fleetSize/20)}
	for i := range v.fleet {
		v.fleet[i] = vehicle{
			vin: vin(d), speed: d.below(120), heading: d.below(360), odometer: d.below(2_000_000),
			charge: 200 + d.below(800), latitude: 47_500_000 + d.below(7_000_000), longitude: 6_500_000 + d.below(8_000_000),
		}
	}
	return v
}

func (v *vehicles) draws() *draw { return v.draw }

// vin draws a vehicle identification number.
func vin(d *draw) string {
	b := []byte(d.pick(manufacturers))
	for range 8 {
		b = append(b, "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"[d.below(33)])
	}
	return string(appendDigits(b, uint64(d.below(1_000_000)), 6))
}

// drive has a vehicle go on for a while.
func (v *vehicles) drive(c *vehicle) {
	c.speed = min(max(c.speed+v.below(31)-15, 0), 190)
	c.heading = (c.heading + 360 + v.below(41) - 20) % 360
	c.odometer += c.speed / 20
	c.latitude += (v.below(201) - 100) * c.speed
	c.longitude += (v.below(201) - 100) * c.speed
	if c.charge -= c.speed / 40; c.charge < 100 {
		c.charge = 950
	}
}

func (v *vehicles) document(b []byte, now moment) []byte {
	c := &v.fleet[v.busy.draw(v.draw)]
	v.drive(c)
	e := fleet.VehicleEvent{Date: now.date, VIN: c.vin}
	o := object(append(b, '{'))
	o = append(o.name("id"), '"', 'e')
	o = append(appendHex(o, mix(v.first+now.number), 16), '"')
	o = o.text("partitionKey", e.PartitionKey()).text("date", now.date).text("vin", c.vin)
	o = o.moment("at", now).number("speed", c.speed)
	o = o.open("Vehicle").number("Speed", c.speed).decimal("TraveledDistance", c.odometer, 1)
	o = o.boolean("IsMoving", c.speed > 0)
	o = o.open("CurrentLocation").decimal("Latitude", c.latitude, 6).decimal("Longitude", c.longitude, 6)
	o = o.number("Heading", c.heading).decimal("HorizontalAccuracy", 8+v.below(40), 1).close()
	o = o.open("Acceleration").decimal("Longitudinal", v.below(600)-300, 2).decimal("Lateral", v.below(400)-200, 2).close()
	o = o.open("Powertrain").open("TractionBattery")
	o = o.open("StateOfCharge").decimal("Current", c.charge, 1).close()
	o = o.decimal("CurrentVoltage", 3200+c.charge, 1).open("Temperature").decimal("Average", 180+v.below(200), 1).close().close()
	o = o.open("ElectricMotor").number("Speed", c.speed*95+v.below(60)).number("Temperature", 40+v.below(50)).close().close()
	o = o.open("Chassis").open("Axle").open("Row1").open("Wheel")
	o = o.open("Left").open("Tire").number("Pressure", 225+v.below(30)).close().close()
	o = o.open("Right").open("Tire").number("Pressure", 225+v.below(30)).close().close()
	o = o.close().close().close().close()
	o = o.open("Cabin").open("HVAC").decimal("AmbientAirTemperature", 195+v.below(40), 1).close().close()
	o = o.open("Body").boolean("IsWiping", v.oneIn(9)).boolean("IsHighBeamOn", v.oneIn(5)).close()
	return o.close().close()
}

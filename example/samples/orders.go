package main

import "strconv"

// tenantCount is how many tenants there are. The first has 40 % of the orders, and the
// others divide the rest among them as Zipf's law says.
const (
	tenantCount  = 500
	firstPercent = 40
)

var (
	tenantFirst  = []string{"amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "iris", "juniper", "karst", "lumen", "maple", "north", "olive", "pine", "quartz", "river", "stone", "tide"}
	tenantSecond = []string{"works", "goods", "market", "supply", "trade", "store", "crafts", "foods", "outdoor", "tools", "books", "home", "sport", "garden", "music", "print", "kitchen", "toys", "bikes", "optics", "pharma", "textiles", "paper", "wine", "tea"}
	wares        = []string{"Ceramic mug", "Wool blanket", "Desk lamp", "Notebook A5", "Water bottle", "Garden shears", "Canvas bag", "Bread knife", "Picture frame", "Rain jacket", "Chess set", "Olive oil 500 ml"}
	streets      = []string{"High Street", "Mill Lane", "Station Road", "Church Street", "Park Avenue", "Harbour Way", "Market Square", "Queen Street"}
	cities       = [][3]string{{"Leeds", "LS1", "GB"}, {"Hamburg", "20095", "DE"}, {"Lyon", "69002", "FR"}, {"Utrecht", "3511", "NL"}, {"Gdansk", "80-831", "PL"}, {"Malmo", "211 20", "SE"}, {"Porto", "4050", "PT"}, {"Turin", "10121", "IT"}}
	statuses     = []string{"open", "paid", "paid", "paid", "shipped", "shipped", "cancelled"}
	channels     = []string{"web", "web", "app", "store", "phone"}
	payments     = []string{"card", "card", "invoice", "wallet", "transfer"}
)

// A tenant has customers, and numbers its orders.
type tenant struct {
	id        string
	customers int
	orders    int
}

// orders makes the orders of tenants of very different size.
type orders struct {
	*draw

	tenants []tenant
	share   shares
}

func newOrders(d *draw) shape {
	s := &orders{draw: d, tenants: make([]tenant, tenantCount), share: zipf(tenantCount-1, 1).led(firstPercent)}
	order := d.below(tenantCount)
	for i := range s.tenants {
		name := (order + i*137) % tenantCount // 137 and 500 have no common divisor: each name once
		size := s.share[i]
		if i > 0 {
			size -= s.share[i-1]
		}
		s.tenants[i] = tenant{
			id:        tenantFirst[name%len(tenantFirst)] + "-" + tenantSecond[name/len(tenantFirst)],
			customers: int(5 + size*50_000/s.share[tenantCount-1]),
		}
	}
	return s
}

func (s *orders) draws() *draw { return s.draw }

// customer draws a customer of a tenant: the smaller of two numbers, so that some buy
// often.
func (s *orders) customer(t *tenant) int { return min(s.below(t.customers), s.below(t.customers)) }

func (s *orders) document(b []byte, now moment) []byte {
	t := &s.tenants[s.share.draw(s.draw)]
	t.orders++
	customer := s.customer(t)
	o := object(append(b, '{'))
	o = append(appendDigits(append(o.name("id"), `"so-`...), uint64(t.orders), 8), '"')
	o = o.text("tenantId", t.id)
	o = append(appendDigits(append(o.name("customerId"), `"c-`...), uint64(customer), 6), '"')
	o = o.moment("createdAt", now).text("status", s.pick(statuses)).text("channel", s.pick(channels)).text("currency", "EUR")
	o = append(o.name("lines"), '[')
	total := 0
	for i := range 1 + min(s.below(5), s.below(5)) {
		if i > 0 {
			o = append(o, ',')
		}
		ware, quantity, price := s.below(len(wares)), 1+s.below(3), 190+10*s.below(900)
		total += quantity * price
		o = append(o, '{')
		o = append(strconv.AppendInt(append(o.name("sku"), `"sku-`...), int64(1000+ware*25), 10), '"')
		o = o.text("name", wares[ware]).number("quantity", quantity).number("unitPrice", price).close()
	}
	o = append(o, ']').number("total", total)
	city := cities[customer%len(cities)]
	o = o.open("shipTo").text("street", streets[customer/8%len(streets)]).number("house", 1+customer%120)
	o = o.text("city", city[0]).text("postalCode", city[1]).text("country", city[2]).close()
	o = o.open("payment").text("method", s.pick(payments))
	o = append(appendHex(append(o.name("reference"), '"'), s.bits(), 16), '"')
	return o.close().close()
}

package main

import "strconv"

// visitors is how many people come to the site, and pages how many articles it has.
const (
	visitors = 200_000
	articles = 2000
)

// buckets is the number of random suffixes of package clickstream.
const buckets = 400

// An agent is a browser, on a device.
type agent struct {
	name, device, system string
	width, height        int
	text                 string
}

var agents = []agent{
	{"Chrome", "Computer", "Windows", 1536, 730, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/68.0.3440.84 Safari/537.36"},
	{"Chrome Mobile", "Mobile", "Android", 360, 560, "Mozilla/5.0 (Linux; Android 8.0.0; SM-G950F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/67.0.3396.87 Mobile Safari/537.36"},
	{"Mobile Safari", "Mobile", "iOS", 375, 553, "Mozilla/5.0 (iPhone; CPU iPhone OS 11_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/11.0 Mobile/15E148 Safari/604.1"},
	{"Safari", "Computer", "Mac OS X", 1440, 789, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_13_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/11.1.2 Safari/605.1.15"},
	{"Firefox", "Computer", "Linux", 1920, 966, "Mozilla/5.0 (X11; Linux x86_64; rv:61.0) Gecko/20100101 Firefox/61.0"},
	{"Samsung Internet", "Tablet", "Android", 800, 1136, "Mozilla/5.0 (Linux; Android 7.0; SM-T820) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/7.2 Chrome/59.0.3071.125 Safari/537.36"},
}

// A country has the language of its visitors.
var countries = [][2]string{{"DE", "de-DE"}, {"FR", "fr-FR"}, {"GB", "en-GB"}, {"US", "en-US"}, {"NL", "nl-NL"}, {"ES", "es-ES"}, {"PL", "pl-PL"}, {"SE", "sv-SE"}}

// sources are the referrer of a visit, its marketing medium, and its source.
var sources = [][3]string{
	{"", "", ""},
	{"https://search.example/", "organic", "search"},
	{"https://search.example/", "cpc", "search"},
	{"https://social.example/feed", "social", "social"},
	{"https://mail.example/", "email", "newsletter"},
}

// clicks makes the events of a site.
type clicks struct {
	*draw

	visitor, article shares
	page             []byte
}

func newClicks(d *draw) shape {
	return &clicks{draw: d, visitor: zipf(visitors, visitors/100), article: zipf(articles, 20)}
}

func (c *clicks) draws() *draw { return c.draw }

// path draws a page; one in five views is of the first one.
func (c *clicks) path() string {
	switch c.below(10) {
	case 0, 1:
		return "/"
	case 2:
		return "/search"
	case 3:
		return "/cart"
	}
	c.page = strconv.AppendInt(append(c.page[:0], "/article/"...), int64(1000+c.article.draw(c.draw)), 10)
	return string(c.page)
}

func (c *clicks) document(b []byte, now moment) []byte {
	who := mix(uint64(c.visitor.draw(c.draw)) + 1)
	visit := now.day*48 + now.ms/1_800_000 // one in half an hour
	from := agents[who%uint64(len(agents))]
	country := countries[who>>8%uint64(len(countries))]
	session := who ^ mix(visit+1)
	source := sources[mix(session)%uint64(len(sources))]
	page, event := c.path(), "page_view"
	if c.oneIn(4) {
		event = "link_click"
	}
	o := object(append(b, '{')).uuid("id", c.bits(), c.bits())
	o = append(append(o.name("partitionKey"), '"'), now.date...)
	o = append(strconv.AppendInt(append(o, '.'), int64(1+c.below(buckets)), 10), '"')
	o = o.text("date", now.date).text("page", page).text("app_id", "shop").text("platform", "web").text("event", event)
	o = o.moment("collector_tstamp", now).text("v_tracker", "js-2.9.0")
	o = o.uuid("domain_userid", who, mix(who+1)).uuid("domain_sessionid", mix(session+1), mix(session+2)).number("domain_sessionidx", int(1+who>>16%40))
	o = o.text("page_urlhost", "www.shop.example").text("page_urlpath", page).text("page_referrer", source[0])
	o = o.text("mkt_medium", source[1]).text("mkt_source", source[2])
	o = o.text("geo_country", country[0]).text("br_lang", country[1]).text("br_name", from.name)
	o = o.number("br_viewwidth", from.width).number("br_viewheight", from.height)
	o = o.text("dvce_type", from.device).text("os_name", from.system).text("useragent", from.text)
	if event == "page_view" {
		o = o.number("pp_yoffset_max", c.below(6000)).number("page_load_ms", 200+c.below(1800))
	} else {
		o = o.number("click_x", c.below(from.width)).number("click_y", c.below(from.height))
	}
	return o.close()
}

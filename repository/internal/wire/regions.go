package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// region is a region of an account.
type region struct{ name, host string }

// regions are those of an account, as the answer to GET / lists them. They do not change.
type regions struct {
	readable, writable []region // the first writable one is the primary region
	several            bool     // write regions
}

func (r *regions) equal(to *regions) bool {
	return r.several == to.several && slices.Equal(r.readable, to.readable) && slices.Equal(r.writable, to.writable)
}

// writeNames are the names of the write regions.
func (r *regions) writeNames() []string {
	names := make([]string, len(r.writable))
	for i, w := range r.writable {
		names[i] = w.name
	}
	return names
}

// account is what this process knows of the regions of one account. azcosmos reads the account
// before the first request of a client, every five minutes while it sends requests, and after
// an answer which says that a region takes no writes (globalEndpointManager.Update in azcosmos
// 1.5.0). These requests have the client's own policies, which keep the answer here. So the run
// time sends no request to learn of regions, and is as late as the SDK.
type account struct {
	regions  atomic.Pointer[regions] // nil until azcosmos has read them
	circuits circuits
}

// accounts are those of this process, by the host of the endpoint that a client was made with.
// They live as long as the process: some hundred bytes each.
var accounts sync.Map // of *account

func accountOf(host string) *account {
	if a, ok := accounts.Load(host); ok {
		return a.(*account) //nolint:forcetypeassert // nothing else is in there
	}
	a, _ := accounts.LoadOrStore(host, &account{})
	return a.(*account) //nolint:forcetypeassert // nothing else is in there
}

// known returns the regions, nil if no answer has told them yet. A nil a has none.
func (a *account) known() *regions {
	if a == nil {
		return nil
	}
	return a.regions.Load()
}

// learn keeps the regions of an answer to GET /. Regions that are as before stay the same
// value. An account that had several write regions keeps them, also if all but one have left,
// until the answer says that it has one.
func (a *account) learn(body []byte) {
	type location struct {
		Name     string `json:"name"`
		Endpoint string `json:"databaseAccountEndpoint"`
	}
	var answer struct {
		Readable []location `json:"readableLocations"`
		Writable []location `json:"writableLocations"`
		Several  bool       `json:"enableMultipleWriteLocations"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return // azcosmos returns an error for such a body
	}
	list := func(locations []location) (all []region) {
		for _, l := range locations {
			if endpoint, err := url.Parse(l.Endpoint); err == nil && endpoint.Host != "" && l.Name != "" {
				all = append(all, region{l.Name, endpoint.Host})
			}
		}
		return all
	}
	now := &regions{readable: list(answer.Readable), writable: list(answer.Writable)}
	for {
		before := a.regions.Load()
		// With one region left, writes of the others may still arrive, and the regions may come back.
		now.several = answer.Several && (len(now.writable) > 1 || before != nil && before.several)
		if before != nil && before.equal(now) || a.regions.CompareAndSwap(before, now) {
			return
		}
	}
}

// name returns the name of the region of a host, "" if it is not known.
func (a *account) name(host string) string {
	known := a.regions.Load()
	if known == nil {
		return ""
	}
	for _, r := range slices.Concat(known.readable, known.writable) {
		if r.host == host {
			return r.name
		}
	}
	return ""
}

// regionID returns the form in which names of regions are compared, as azcosmos does it
// (newRegionId in 1.5.0): "West Europe" and "westeurope" are one region.
func regionID(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "")) }

// preferred returns those of all whose names are in a list, in its order: all if the list is
// empty, and the first one if it names none, as azcosmos does (readFallback of locationCache).
func preferred(all []region, names []string) []region {
	if len(names) == 0 {
		return all
	}
	found := make([]region, 0, len(names))
	for _, name := range names {
		for _, r := range all {
			if regionID(r.name) == regionID(name) {
				found = append(found, r)
			}
		}
	}
	if len(found) == 0 && len(all) > 0 {
		return all[:1]
	}
	return found
}

// routing is what a context says of the regions of its requests.
type routing struct {
	excluded []string // by regionID
	leg      *leg     // of a hedged read
	anywhere bool     // circuits apply: see Anywhere
	primary  bool     // reads go to the write region, if there is one
}

// isSecond reports whether requests are the second ones of hedged reads. R may be nil.
func (r *routing) isSecond() bool { return r != nil && r.leg != nil && r.leg.only != "" }

type routingKey struct{}

func routingOf(ctx context.Context) *routing {
	r, _ := ctx.Value(routingKey{}).(*routing)
	return r
}

// WithExcludedRegions returns a context whose requests do not go to the regions of these names,
// in place of those of an outer context.
func WithExcludedRegions(ctx context.Context, names []string) context.Context {
	ids := make([]string, len(names))
	for i, name := range names {
		ids[i] = regionID(name)
	}
	return reroute(ctx, func(r *routing) { r.excluded = ids })
}

// reroute returns a context with a change of what the outer one says of regions.
func reroute(ctx context.Context, change func(*routing)) context.Context {
	var own routing
	if outer := routingOf(ctx); outer != nil {
		own = *outer
	}
	change(&own)
	return context.WithValue(ctx, routingKey{}, &own)
}

// excludes reports whether requests of a context must not go to some regions.
func excludes(ctx context.Context) bool {
	r := routingOf(ctx)
	return r != nil && len(r.excluded) > 0
}

// withLeg returns the context of one of the two requests of a hedged read.
func withLeg(ctx context.Context, l *leg) context.Context {
	return reroute(ctx, func(r *routing) { r.leg, r.anywhere = l, true })
}

// HasRegions reports whether the documents are in several regions, by what azcosmos has read
// last of the account.
func (c *Container) HasRegions() bool {
	known := c.account.Load().known()
	return known != nil && len(known.readable) > 1
}

// EachRegion calls read for each region of the documents, the write region among them, until it
// returns an error, which then names the region. Reads of documents under its context are sent to
// this region alone, once each, and outside of a session. If each region has something, and
// nobody writes it again, no failover can lose it: the region that becomes the write region then
// had it when it was read. If no request has told the regions, EachRegion calls read once.
func (c *Container) EachRegion(ctx context.Context, read func(context.Context) error) error {
	known := c.account.Load().known()
	if known == nil {
		return read(ctx)
	}
	for _, one := range known.readable {
		err := read(withLeg(WithSession(ctx, nil), &leg{only: one.host}))
		if err != nil {
			return fmt.Errorf("in the region %s: %w", one.name, err)
		}
	}
	return nil
}

// Anywhere returns the context of a read for the program, which may go to another region while
// a circuit is open. The reads of writes, moves, tenants and leases have to see all writes: see
// Container.primary.
func Anywhere(ctx context.Context) context.Context {
	r := routingOf(ctx)
	if !Troubled() || r != nil && r.anywhere {
		return ctx
	}
	return reroute(ctx, func(r *routing) { r.anywhere = true })
}

// primary returns the context of reads that have to see all writes: they go to the write region,
// as writes do. With several write regions they go where azcosmos sends writes and reads.
func (c *Container) primary(ctx context.Context) context.Context {
	known := c.account.Load().known()
	switch r := routingOf(ctx); {
	case r != nil && (r.primary || r.leg != nil):
		return ctx
	case known != nil && (known.several || len(known.readable) < 2):
		return ctx
	case known == nil && !c.Moving && c.asked.Load(): // the client has no policies
		return ctx
	}
	return reroute(ctx, func(r *routing) { r.primary = true })
}

// call is what the attempts of one request have in common.
type call struct {
	attempts  int
	account   string    // the host of the endpoint that the client was made with
	preferred *[]string // regions of the client

	// Hosts of the last attempt: which one azcosmos has chosen, and to which one it went.
	chosen, sent string
	tried        []string // hosts, of requests that do not go where azcosmos has chosen

	// How the last attempts ended.
	lacks   bool // the region does not have what the session has seen
	refused bool // the region takes no writes, or has left the account
	broken  int  // connections to the host, in succession
}

// maxBroken is how many connections to a host break before azcosmos leaves the region: after
// maxSameRegionConnectionRetries of azcosmos 1.5.0, which is 3.
const maxBroken = 4

// ended notes how an attempt has ended.
func (c *call) ended(response *http.Response, err error) {
	c.lacks, c.refused = false, false
	if err != nil {
		c.broken++
		return
	}
	c.broken = 0
	c.refused = response.StatusCode == http.StatusForbidden
	c.lacks = response.StatusCode == http.StatusNotFound && response.Header.Get(headerSubstatus) == strconv.Itoa(substatusReadSessionNotAvailable)
}

// leaves reports whether azcosmos has left the region of the last attempt, although it has
// chosen the same host again: it begins at the head of its list then.
func (c *call) leaves(allowed []region) bool {
	return c.refused || c.broken >= maxBroken || !slices.ContainsFunc(allowed, func(g region) bool { return g.host == c.sent })
}

// order returns the regions to which a request may go, the first one first, and whether
// azcosmos sends it to another region itself after a failure. Of writes in an account with one
// write region, of other writes than those of documents, and of requests for the account, it
// returns none.
func (c *call) order(raw *http.Request, known *regions) (all []region, crosses bool) {
	switch {
	case asksForRegions(raw):
		return nil, false
	case !writes(raw):
		all = known.readable
	case known.several && isDocumentRequest(raw):
		all = known.writable
	}
	all = preferred(all, *c.preferred)
	return all, len(*c.preferred) > 0 && len(all) > 1
}

// watch returns the circuit that an attempt belongs to in the region to which it goes, nil for
// none: where azcosmos would not go to another region after a failure, no circuit does.
func (c *call) watch(raw *http.Request) *watched {
	a := accountOf(c.account)
	known := a.regions.Load()
	if known == nil || !isPlainRead(raw) {
		return nil
	}
	if _, crosses := c.order(raw, known); !crosses {
		return nil
	}
	return &watched{circuits: &a.circuits, key: circuitKey{c.partition(raw), raw.URL.Host}}
}

// direct sends an attempt to another region than azcosmos has chosen if that one is excluded,
// its circuit is open, or the attempt is the second one of a hedged read. It returns the
// circuit of the region to which the attempt goes, nil for none.
//
// azcosmos sets the host anew for each attempt, after which this runs. What it signs does not
// name the host, and what it marks as unavailable is the host that was asked.
func (c *call) direct(raw *http.Request, r *routing) *watched {
	known := accountOf(c.account).regions.Load()
	var all []region
	if known != nil {
		all, _ = c.order(raw, known)
	}
	if len(all) == 0 {
		if r.leg != nil {
			r.leg.sent.CompareAndSwap(nil, &sent{})
		}
		return nil
	}
	allowed := r.allowed(all, known)
	var w *watched
	if r.anywhere {
		w = c.watch(raw)
	}
	chosen, before := raw.URL.Host, c.sent
	switch {
	case r.isSecond() && isDocumentRequest(raw):
		c.sent = r.leg.only
	case r.primary && isDocumentRequest(raw) && !known.several && len(known.writable) > 0:
		c.sent = known.writable[0].host
	case !r.excludes(known, chosen) && (c.lacks || !slices.ContainsFunc(all, func(g region) bool { return g.host == chosen })):
		c.sent = chosen // azcosmos goes to the write region for a session, or to no preferred one
	case chosen != c.chosen || c.sent != chosen && c.leaves(allowed):
		c.sent = c.choose(chosen, allowed, w)
	}
	if c.sent != before {
		c.broken = 0
	}
	c.chosen = chosen
	if !slices.Contains(c.tried, c.sent) {
		c.tried = append(c.tried, c.sent)
	}
	if r.leg != nil {
		r.leg.sent.Store(&sent{slices.DeleteFunc(untried(allowed, c.tried), w.isOpen)})
	}
	raw.URL.Host, raw.Host = c.sent, c.sent
	if w != nil {
		w.key.host = c.sent
	}
	return w
}

// excludes reports whether requests must not go to a host.
func (r *routing) excludes(known *regions, host string) bool {
	return len(r.excluded) > 0 && slices.ContainsFunc(slices.Concat(known.readable, known.writable), func(g region) bool {
		return g.host == host && slices.Contains(r.excluded, regionID(g.name))
	})
}

// allowed returns the regions to which requests may go. If all are excluded, that is the
// primary region, as in the SDKs for .NET and Java ("New SDK options for fine-grained request
// routing to Azure Cosmos DB").
func (r *routing) allowed(all []region, known *regions) []region {
	if len(r.excluded) == 0 {
		return all
	}
	left := slices.DeleteFunc(slices.Clone(all), func(g region) bool { return slices.Contains(r.excluded, regionID(g.name)) })
	if len(left) == 0 && len(known.writable) > 0 {
		return known.writable[:1]
	}
	return left
}

// choose returns the host for an attempt for which azcosmos has chosen one: that host, unless
// requests must not go there, its circuit is open, or this request was there before.
func (c *call) choose(chosen string, allowed []region, w *watched) string {
	may := slices.ContainsFunc(allowed, func(g region) bool { return g.host == chosen })
	if may && !slices.Contains(c.tried, chosen) && w.admits(chosen) {
		return chosen
	}
	left := untried(allowed, c.tried)
	for _, g := range left {
		if g.host != chosen && w.admits(g.host) {
			return g.host
		}
	}
	switch {
	case len(left) > 0:
		return left[0].host
	case may || len(allowed) == 0:
		return chosen
	default:
		return allowed[0].host
	}
}

// untried returns the regions of a request to which it has not been sent.
func untried(all []region, tried []string) []region {
	var left []region
	for _, g := range all {
		if !slices.Contains(tried, g.host) {
			left = append(left, g)
		}
	}
	return left
}

// partition names the physical partition to which a request goes, or its container if the
// physical partition is not known.
func (c *call) partition(raw *http.Request) string {
	link, _ := route.SplitLink(raw.URL.EscapedPath())
	cache := route.CacheOf(c.account + link)
	m, _ := cache.Known()
	if in := cache.Served(m, raw.Header); len(in) == 1 {
		return link + " " + m.RID + " " + in[0].ID
	}
	return link
}

// isPlainRead reports whether a request reads documents, and not the change feed, whose
// position is one of a region.
func isPlainRead(r *http.Request) bool {
	return isDocumentRequest(r) && !writes(r) && r.Header.Get("A-IM") == ""
}

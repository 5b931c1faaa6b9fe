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

// regions are the regions of an account, as the answer to GET / lists them. They are
// immutable.
type regions struct {
	readable, writable []region // the first writable one is the primary region
	several            bool     // whether there are several write regions
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

// account holds what this process has learned about the regions of one account. azcosmos reads
// the account before the first request of a client, every five minutes while it sends
// requests, and after a region has refused a write (globalEndpointManager.Update in azcosmos
// 1.5.0). The client's policies see these requests and store the answer here. So the run time
// sends no requests to find regions, and its information is as old as the SDK's.
type account struct {
	regions  atomic.Pointer[regions] // nil until azcosmos has read them
	circuits circuits
}

// accounts are the accounts of this process, by the host of a client's endpoint. They are
// never removed, and take some hundred bytes each.
var accounts sync.Map // of *account

func accountOf(host string) *account {
	if a, ok := accounts.Load(host); ok {
		return a.(*account) //nolint:forcetypeassert // the map holds nothing else
	}
	a, _ := accounts.LoadOrStore(host, &account{})
	return a.(*account) //nolint:forcetypeassert // the map holds nothing else
}

// known returns the regions, or nil before the first answer. A nil a has none.
func (a *account) known() *regions {
	if a == nil {
		return nil
	}
	return a.regions.Load()
}

// learn stores the regions in an answer to GET /. If the regions have not changed, the stored
// value stays the same. An account that had several write regions keeps them, even if all but one
// have left, until the answer says that it has one.
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

// name returns the name of the region of a host, or "" if it is unknown.
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

// regionID returns the form in which names of regions are compared, as in azcosmos
// (newRegionId in 1.5.0): "West Europe" and "westeurope" are one region.
func regionID(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "")) }

// preferred returns the regions of all that a list names, in the order of the list. Like
// azcosmos (readFallback of locationCache), it returns all if the list is empty, and the first
// one if the list names none of them.
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

// routing is what a context says about the regions of its requests.
type routing struct {
	excluded []string // by regionID
	leg      *leg     // of a hedged read
	anywhere bool     // whether circuits apply: see Anywhere
	primary  bool     // whether reads go to the write region, if there is one
}

// isSecond reports whether the request is the second one of a hedged read. r may be nil.
func (r *routing) isSecond() bool { return r != nil && r.leg != nil && r.leg.only != "" }

type routingKey struct{}

func routingOf(ctx context.Context) *routing {
	r, _ := ctx.Value(routingKey{}).(*routing)
	return r
}

// WithExcludedRegions returns a context whose requests do not go to the named regions. The
// list replaces the list of an outer context.
func WithExcludedRegions(ctx context.Context, names []string) context.Context {
	ids := make([]string, len(names))
	for i, name := range names {
		ids[i] = regionID(name)
	}
	return reroute(ctx, func(r *routing) { r.excluded = ids })
}

// reroute returns a context with a changed routing.
func reroute(ctx context.Context, change func(*routing)) context.Context {
	var own routing
	if outer := routingOf(ctx); outer != nil {
		own = *outer
	}
	change(&own)
	return context.WithValue(ctx, routingKey{}, &own)
}

// excludes reports whether a context excludes regions.
func excludes(ctx context.Context) bool {
	r := routingOf(ctx)
	return r != nil && len(r.excluded) > 0
}

// withLeg returns the context of one of the two requests of a hedged read.
func withLeg(ctx context.Context, l *leg) context.Context {
	return reroute(ctx, func(r *routing) { r.leg, r.anywhere = l, true })
}

// HasRegions reports whether the documents are in several regions, by the latest account that
// azcosmos has read.
func (c *Container) HasRegions() bool {
	known := c.account.Load().known()
	return known != nil && len(known.readable) > 1
}

// EachRegion calls read for each region of the documents, including the write region, until it
// returns an error, to which EachRegion adds the region's name. Under its context, reads of
// documents go to this region only, are sent once, and have no session. If each region has a
// document, and no program writes it again, no failover can lose it: the region that becomes
// the write region had it when it was read. If the regions are unknown, EachRegion calls read
// once.
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
// a circuit is open. Reads of writes, moves, tenants and leases must see all writes: see
// Container.primary.
func Anywhere(ctx context.Context) context.Context {
	r := routingOf(ctx)
	if !Troubled() || r != nil && r.anywhere {
		return ctx
	}
	return reroute(ctx, func(r *routing) { r.anywhere = true })
}

// primary returns the context of reads that must see all writes: they go to the write region.
// With several write regions, they go where azcosmos sends writes and reads.
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

// call is the state that the attempts of one request share.
type call struct {
	attempts  int
	account   string    // the host of the endpoint that the client was made with
	preferred *[]string // regions of the client

	// Hosts of the last attempt: the one that azcosmos chose, and the one to which the attempt
	// went.
	chosen, sent string
	tried        []string // hosts of attempts, for requests that do not follow azcosmos

	// Results of the last attempts.
	lacks   bool // the region has not reached the session token
	refused bool // the region accepts no writes, or was removed from the account
	broken  int  // consecutive broken connections to the host
}

// maxBroken is the number of broken connections to a host after which azcosmos leaves the
// region. It is one more than maxSameRegionConnectionRetries of azcosmos 1.5.0, which is 3.
const maxBroken = 4

// ended records the result of an attempt.
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

// leaves reports whether azcosmos left the region of the last attempt although it chose the
// same host again: it then begins at the head of its list.
func (c *call) leaves(allowed []region) bool {
	return c.refused || c.broken >= maxBroken || !slices.ContainsFunc(allowed, func(g region) bool { return g.host == c.sent })
}

// order returns the regions to which a request may go, in order, and whether azcosmos itself
// sends it to another region after a failure. It returns none for writes in an account with
// one write region, for writes of other resources than documents, and for requests for the
// account.
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

// watch returns the circuit of an attempt in its region. It returns nil if azcosmos would not
// try another region after a failure.
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

// direct sends an attempt to another region than azcosmos chose if that region is excluded, if
// its circuit is open, or if the attempt is the second one of a hedged read. It returns the
// circuit of the region to which the attempt goes, or nil.
//
// azcosmos sets the host for each attempt, before this function runs. Its signature does not
// cover the host, and it marks as unavailable the host that was requested.
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
		c.sent = chosen // azcosmos chose the write region for a session, or a region that is not preferred
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

// allowed returns the regions to which requests may go. If all are excluded, it returns the
// primary region, as the SDKs for .NET and Java do ("New SDK options for fine-grained request
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

// choose returns the host for an attempt: the one that azcosmos chose, unless it is excluded,
// its circuit is open, or the request was already sent there.
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

// untried returns the regions to which a request has not been sent.
func untried(all []region, tried []string) []region {
	var left []region
	for _, g := range all {
		if !slices.Contains(tried, g.host) {
			left = append(left, g)
		}
	}
	return left
}

// partition names the physical partition of a request, or its container if the physical
// partition is unknown.
func (c *call) partition(raw *http.Request) string {
	link, _ := route.SplitLink(raw.URL.EscapedPath())
	cache := route.CacheOf(c.account + link)
	m, _ := cache.Known()
	if in := cache.Served(m, raw.Header); len(in) == 1 {
		return link + " " + m.RID + " " + in[0].ID
	}
	return link
}

// isPlainRead reports whether a request reads documents outside of the change feed, whose
// position is valid in one region only.
func isPlainRead(r *http.Request) bool {
	return isDocumentRequest(r) && !writes(r) && r.Header.Get("A-IM") == ""
}

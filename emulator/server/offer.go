package server

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Throughput that the service allows, in RU/s ("Azure Cosmos DB service quotas").
const (
	throughputPerPartition = 10_000 // what a physical partition provides
	minManual              = 400
	minAutoscale           = 1_000
	maxThroughput          = 1_000_000
)

// offer is the provisioned throughput of a container, or of a database whose
// containers share it. The lock of the server guards it, except for throughput.
type offer struct {
	id       string
	owner    string // resource id of the container or database
	resource string // its link
	settings provisioned
	highest  int // the highest throughput that it has ever had
	etag     string
	ts       time.Time
	// throughput is the highest throughput of settings; requests read it without the lock.
	throughput atomic.Int64
}

// provisioned is the content of an offer.
type provisioned struct {
	Manual    int        `json:"offerThroughput"`
	Autoscale *autoscale `json:"offerAutopilotSettings,omitempty"`
}

type autoscale struct {
	Max     int             `json:"maxThroughput"`
	Upgrade json.RawMessage `json:"autoUpgradePolicy,omitempty"`
}

// check refuses throughput that the service refuses.
func (p provisioned) check() error {
	if a := p.Autoscale; a != nil {
		if a.Max < minAutoscale || a.Max > maxThroughput || a.Max%1000 != 0 {
			return badRequest("The offer should have a valid autoscale maxThroughput: from %d to %d, in steps of 1000; %d is not.", minAutoscale, maxThroughput, a.Max)
		}
		return nil
	}
	if p.Manual < minManual || p.Manual > maxThroughput || p.Manual%100 != 0 {
		return badRequest("The offer should have valid throughput values between %d and %d inclusive in increments of 100; %d is not.", minManual, maxThroughput, p.Manual)
	}
	return nil
}

// most is the highest throughput that is provided.
func (p provisioned) most() int {
	if p.Autoscale != nil {
		return p.Autoscale.Max
	}
	return p.Manual
}

// least is the lowest throughput to which an offer can be changed: a hundredth of the
// highest manual throughput that it has ever had, or a tenth of the highest autoscale
// throughput, and not less than any offer must have ("Azure Cosmos DB service quotas",
// minimum throughput limits). The size of the data does not count here.
func (o *offer) least() int {
	if o.settings.Autoscale != nil {
		return max(minAutoscale, roundUp(o.highest, 10, 1000))
	}
	return max(minManual, roundUp(o.highest, 100, 100))
}

// roundUp returns a fraction of n as the next multiple of step.
func roundUp(n, fraction, step int) int {
	return (n + fraction*step - 1) / (fraction * step) * step
}

// partitions is how many physical partitions a throughput needs.
func (p provisioned) partitions() int {
	return (p.most() + throughputPerPartition - 1) / throughputPerPartition
}

// notServerless refuses an operation that a serverless account does not have.
func (s *Server) notServerless(what string) error {
	if s.options.Serverless {
		return badRequest("%s is not supported for serverless accounts.", what)
	}
	return nil
}

// parseProvisioned reads the throughput with which a database or container is created.
// It returns nil if the request has no throughput. A serverless account refuses
// throughput, in an error that names the operation.
func (s *Server) parseProvisioned(h http.Header, operation string) (*provisioned, error) {
	var p provisioned
	manual, settings := h.Get("x-ms-offer-throughput"), h.Get("x-ms-cosmos-offer-autopilot-settings")
	if manual == "" && settings == "" {
		return nil, nil
	}
	if err := s.notServerless(operation); err != nil {
		return nil, err
	}
	switch {
	case manual != "" && settings != "":
		return nil, badRequest("Both a throughput and autoscale settings are specified: use one.")
	case manual != "":
		n, err := strconv.Atoi(manual)
		if err != nil {
			return nil, badRequest("The offer throughput %q is not a number from %d to %d.", manual, minManual, maxThroughput)
		}
		p.Manual = n
	default:
		if err := json.Unmarshal([]byte(settings), &p.Autoscale); err != nil || p.Autoscale == nil {
			return nil, badRequest("The autoscale settings %q are invalid.", settings)
		}
	}
	return &p, p.check()
}

// addOffer stores an offer. The caller holds the lock of the server.
func (s *Server) addOffer(p provisioned, rid []byte, link string, now time.Time) *offer {
	id := newOfferID()
	for _, taken := s.offers.get(id); taken; _, taken = s.offers.get(id) {
		id = newOfferID()
	}
	o := &offer{id: id, owner: ridText(rid), resource: link}
	o.set(p, now)
	s.offers.add(id, o)
	return o
}

// removeOffer forgets an offer, which may be nil. The caller holds the lock of the
// server.
func (s *Server) removeOffer(o *offer) {
	if o != nil {
		s.offers.remove(o.id)
	}
}

func (o *offer) set(p provisioned, now time.Time) {
	if p.Autoscale != nil { // the service starts at a tenth
		p.Manual = p.Autoscale.Max / 10
	}
	o.settings, o.etag, o.ts = p, newETag(), now
	o.highest = max(o.highest, p.most())
	o.throughput.Store(int64(p.most()))
}

// json is an offer as the service shows it.
func (o *offer) json() []byte {
	return jsonReply(0, map[string]any{
		"id": o.id, "_rid": o.id, "_self": "offers/" + o.id + "/", "_etag": o.etag, "_ts": o.ts.Unix(),
		"resource": o.resource, "offerResourceId": o.owner, "offerType": "Invalid", "offerVersion": "V2",
		"content": o.settings,
	}).body
}

// reply answers with an offer.
func (o *offer) reply() *reply {
	answer := resourceReply(http.StatusOK, o.json(), o.etag)
	answer.header["x-ms-cosmos-min-throughput"] = strconv.Itoa(o.least())
	answer.header["x-ms-offer-replace-pending"] = "false"
	return answer
}

// offersOperation names the operations that serverless accounts refuse.
const offersOperation = "Reading or replacing offers"

// readOffers lists the offers, or queries them.
func (s *Server) readOffers(c *call) (*reply, error) {
	if err := s.notServerless(offersOperation); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list [][]byte
	for _, o := range s.offers.all() {
		list = append(list, o.json())
	}
	return c.metadataFeed("Offers", "", list)
}

func (s *Server) readOffer(c *call) (*reply, error) {
	if err := s.notServerless(offersOperation); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.offers.get(c.target.offer)
	if !ok {
		return nil, notFound()
	}
	return o.reply(), nil
}

// replaceOffer changes throughput. If the throughput needs more physical partitions
// than there are, it splits them at once; the service takes a while. It never merges
// physical partitions.
func (s *Server) replaceOffer(c *call) (*reply, error) {
	if err := s.notServerless(offersOperation); err != nil {
		return nil, err
	}
	var sent struct {
		Content *provisioned `json:"content"`
	}
	if err := json.Unmarshal(c.body, &sent); err != nil || sent.Content == nil {
		return nil, badRequest(`The offer is invalid: it needs a content such as {"offerThroughput":400}.`)
	}
	p := *sent.Content
	if err := p.check(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.offers.get(c.target.offer)
	if !ok {
		return nil, notFound()
	}
	if match := c.Header.Get("If-Match"); match != "" && match != o.etag {
		return nil, preconditionFailed()
	}
	if (p.Autoscale == nil) != (o.settings.Autoscale == nil) {
		return nil, unsupported("changing between manual and autoscale throughput")
	}
	if p.most() < o.least() {
		return nil, badRequest("The offer should have valid throughput values between %d and %d inclusive: %d is below what the highest throughput so far, %d, allows.", o.least(), maxThroughput, p.most(), o.highest)
	}
	o.set(p, c.now)
	for _, d := range s.databases.all() {
		for _, found := range d.containers.all() {
			if found.offer == o {
				found.grow(p.partitions())
			}
		}
	}
	return o.reply(), nil
}

// grow splits the largest physical partitions of a container until there are n.
func (c *container) grow(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.ranges) < n {
		if c.split(c.widest().id) != nil {
			return // too narrow to split, after 120 rounds
		}
	}
}

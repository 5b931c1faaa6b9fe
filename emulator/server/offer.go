package server

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// notServerless refuses an operation that a serverless account does not have.
func (s *Server) notServerless(what string) error {
	if s.options.Serverless {
		return status.BadRequest("%s is not supported for serverless accounts.", what)
	}
	return nil
}

// parseProvisioned reads the throughput for the creation of a database or container. It returns
// nil if the request has no throughput. A serverless account refuses throughput, in an error
// that names the operation.
func (s *Server) parseProvisioned(h http.Header, operation string) (*store.Throughput, error) {
	var p store.Throughput
	manual, settings := h.Get("X-Ms-Offer-Throughput"), h.Get("X-Ms-Cosmos-Offer-Autopilot-Settings")
	if manual == "" && settings == "" {
		return nil, nil
	}
	if err := s.notServerless(operation); err != nil {
		return nil, err
	}
	switch {
	case manual != "" && settings != "":
		return nil, status.BadRequest("Both a throughput and autoscale settings are specified: use one.")
	case manual != "":
		n, err := strconv.Atoi(manual)
		if err != nil {
			return nil, status.BadRequest("The offer throughput %q is not a number from %d to %d.", manual, store.MinManual, store.MaxThroughput)
		}
		p.Manual = n
	default:
		if err := json.Unmarshal([]byte(settings), &p.Autoscale); err != nil || p.Autoscale == nil {
			return nil, status.BadRequest("The autoscale settings %q are invalid.", settings)
		}
	}
	return &p, p.Check()
}

// offerReply answers with an offer.
func offerReply(o store.Offer) *reply {
	answer := resourceReply(http.StatusOK, o.Text, o.ETag)
	answer.header["x-ms-cosmos-min-throughput"] = strconv.Itoa(o.Least)
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
	return c.metadataFeed("Offers", "", s.account.OfferTexts())
}

func (s *Server) readOffer(c *call) (*reply, error) {
	if err := s.notServerless(offersOperation); err != nil {
		return nil, err
	}
	o, err := s.account.Offer(c.target.offer)
	if err != nil {
		return nil, err
	}
	return offerReply(o), nil
}

// replaceOffer changes throughput.
func (s *Server) replaceOffer(c *call) (*reply, error) {
	if err := s.notServerless(offersOperation); err != nil {
		return nil, err
	}
	var sent struct {
		Content *store.Throughput `json:"content"`
	}
	if err := json.Unmarshal(c.body, &sent); err != nil || sent.Content == nil {
		return nil, status.BadRequest(`The offer is invalid: it needs a content such as {"offerThroughput":400}.`)
	}
	o, err := s.changeOffer(c, *sent.Content)
	if err != nil {
		return nil, err
	}
	return offerReply(o), nil
}

// changeOffer changes an offer by the content of a request, or by its header.
func (s *Server) changeOffer(c *call, content store.Throughput) (store.Offer, error) {
	id, etag := c.target.offer, c.Header.Get("If-Match")
	toAutoscale, toManual := header.IsTrue(c.Header, migrateToAutoscale), header.IsTrue(c.Header, migrateToManual)
	switch {
	case !toAutoscale && !toManual:
		return s.account.ReplaceOffer(id, content, etag, c.now)
	case toAutoscale && content.Autoscale != nil:
		return store.Offer{}, status.BadRequest("The offer content must not contain autopilot settings for migration from manual throughput to autoscale.")
	case !toAutoscale && content.Autoscale == nil:
		return store.Offer{}, status.BadRequest("The offer content must contain autopilot settings for migration from autoscale throughput to manual.")
	default:
		return s.account.MigrateOffer(id, toAutoscale, etag, c.now)
	}
}

// Headers of a PUT that changes the kind of throughput. The numbers in its content are ignored
// ("Replace an Offer").
const (
	migrateToAutoscale = "X-Ms-Cosmos-Migrate-Offer-To-Autopilot"
	migrateToManual    = "X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput"
)

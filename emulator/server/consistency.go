package server

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// consistencyLevel is the header with the consistency level of a read.
const consistencyLevel = "X-Ms-Consistency-Level"

// sessionHeader is the header with the session token of a read.
const sessionHeader = "X-Ms-Session-Token"

// level returns the number of a request's consistency level, 0 for the strongest, or -1. SDKs
// write BoundedStaleness, and Microsoft's page "Common Azure Cosmos DB REST request headers"
// Bounded.
func level(text string) int {
	if strings.EqualFold(text, "Bounded") {
		text = "BoundedStaleness"
	}
	return slices.IndexFunc(store.ConsistencyLevels, func(known string) bool { return strings.EqualFold(known, text) })
}

// checkConsistency refuses a level that does not exist or that is stronger than the account's.
// For a request with level Session it keeps the session token, which the region must cover.
// SDKs send the token of a write only to several write regions.
func (s *Server) checkConsistency(c *call) error {
	used := level(s.options.Consistency)
	if text := c.Header.Get(consistencyLevel); text != "" {
		n := level(text)
		switch {
		case n < 0:
			return status.BadRequest("The value '%s' specified for the header '%s' is invalid: use one of Strong, BoundedStaleness, Bounded, Session, ConsistentPrefix, Eventual.", text, strings.ToLower(consistencyLevel))
		case n < used:
			return status.BadRequest("ConsistencyLevel %s specified in the request is invalid when service is configured with consistency level %s. Ensure the request consistency level is not stronger than the service consistency level.", store.ConsistencyLevels[n], store.ConsistencyLevels[used])
		}
		used = n
	}
	if len(s.options.Regions) > 0 && store.ConsistencyLevels[used] == store.Session && (!slices.Contains(itemWrites, c.entry.Operation) || s.account.MultiWrite()) {
		c.session = c.Header.Get(sessionHeader)
	}
	return nil
}

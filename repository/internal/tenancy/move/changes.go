package move

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// page is what the change feed gives at a time.
type page struct {
	documents [][]byte
	after     string // where it goes on
	idle      bool   // there is nothing new
	closed    bool   // it has the fence that the move has closed
	now       time.Time
}

// continuation is the SDK's way to say where a change feed goes on.
type continuation struct {
	ResourceID string             `json:"resourceId"`
	Parts      []continuationPart `json:"continuation"`
}

type continuationPart struct {
	Min string `json:"minInclusive"`
	Max string `json:"maxExclusive"`
}

// feedPage is how many documents a page of the change feed has at most.
const feedPage = 500

// changes reads a page of the change feed of the tenant.
func (s *side) changes(ctx context.Context, position string) (p page, err error) {
	if position == "" {
		begin, err := json.Marshal(continuation{Parts: []continuationPart{{s.epk, s.epk + "FF"}}})
		if err != nil {
			return p, err
		}
		position = string(begin)
	}
	demanded := wire.OptionsOf(ctx)
	options := azcosmos.ChangeFeedOptions{
		Continuation: &position, MaxItemCount: feedPage, PriorityLevel: demanded.Priority, ThroughputBucket: demanded.Bucket,
	}
	if s.levels { // azcosmos scopes the feed to whole physical partitions (1.5.0)
		ctx = policy.WithHTTPHeader(ctx, http.Header{
			"X-Ms-Start-Epk": {s.epk}, "X-Ms-End-Epk": {s.epk + "FF"}, "X-Ms-Read-Key-Type": {"EffectivePartitionKeyRange"},
		})
	} else {
		options.PartitionKey = &s.tenant.Key
	}
	var response azcosmos.ChangeFeedResponse
	err = again(ctx, func() (err error) {
		callCtx, done := s.Begin(route.InContainer(ctx, s.rid), wire.Event{Op: Op, PartitionKey: s.tenant.Name})
		response, err = s.Client.ReadChangeFeed(callCtx, &options)
		if err = wire.Unparsed(err); err == nil {
			err = wire.CheckFeed(response, "_lsn")
		}
		done(response.RequestCharge, err)
		return err
	})
	if err != nil {
		return p, err
	}
	var after continuation
	if err := json.Unmarshal([]byte(response.ContinuationToken), &after); err != nil {
		return p, fmt.Errorf("the SDK's continuation %q cannot be read: %w", response.ContinuationToken, err)
	}
	if after.ResourceID != s.rid {
		return p, fmt.Errorf("container %q was deleted and made again while a tenant was moved from it", s.id)
	}
	for _, raw := range response.Items {
		if s.isTenants(raw) { // also if the headers above mean nothing to the service
			p.documents = append(p.documents, raw)
		}
	}
	p.now, err = wire.DateOf(response.RawResponse)
	p.after, p.idle = response.ContinuationToken, response.RawResponse.StatusCode == http.StatusNotModified
	return p, err
}

// isTenants reports whether a document is the tenant's.
func (s *side) isTenants(raw []byte) bool {
	value := text.ValueAt(raw, text.Names(s.Paths[0]))
	return len(value) > 1 && value[0] == '"' && text.Spells(value, s.tenant.Value.(string))
}

package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Hedge is the same container in another region, which a point read asks as well if the
// first region is slow.
type Hedge struct {
	Other *azcosmos.ContainerClient
	After time.Duration
}

// Fits returns why the container of a client cannot be read by h, which may be nil.
func (h *Hedge) Fits(c *azcosmos.ContainerClient) error {
	if h == nil || h.Other == nil || c == nil || h.Other.ID() == c.ID() {
		return nil
	}
	return fmt.Errorf("WithHedging has container %s, and the documents are in %s: give it the same container of a client of another region", h.Other.ID(), c.ID())
}

// hedges reports whether a read is hedged. Reads under a session are not: its tokens are
// of the first client, and the other region may not be as far. Neither are the reads that
// a write does first.
func (c *Container) hedges(ctx context.Context, op string) bool {
	return c.Hedge != nil && op == OpGet && !c.Resident && sessionOf(ctx) == nil
}

// hedgedAnswer is the answer of one of two regions.
type hedgedAnswer struct {
	response azcosmos.ItemResponse
	err      error
	other    bool
}

// readHedged reads the document at p by a request to the first region, and one to the
// other if there is no answer after a while or the first one has failed. The answer that
// comes first counts, and the other request is cancelled; both have ended when readHedged
// returns. That there is no document is believed of the first region alone, since the
// other may not have it yet.
func (c *Container) readHedged(ctx context.Context, op string, p Place) (azcosmos.ItemResponse, error) {
	ctx, cancel := context.WithCancel(ctx)
	answers := make(chan hedgedAnswer, 2) // so that nobody waits to answer
	under := 0
	defer func() {
		cancel()
		for ; under > 0; under-- {
			<-answers
		}
	}()
	send := func(client *azcosmos.ContainerClient, other bool) {
		under++
		go func() {
			response, err := c.readFrom(ctx, client, op, p)
			answers <- hedgedAnswer{response, err, other}
		}()
	}
	send(c.Client, false)
	timer := time.NewTimer(c.Hedge.After)
	defer timer.Stop()
	asked := false
	var failed *hedgedAnswer // of the first region
	for {
		select {
		case <-timer.C:
			if !asked && failed == nil {
				asked = true
				send(c.Hedge.Other, true)
			}
		case a := <-answers:
			under--
			switch {
			case a.err == nil || !a.other && !unanswered(ctx, a.err):
				return a.response, a.err
			case a.other && failed != nil:
				return failed.response, failed.err
			case a.other:
				continue // the first region may still answer
			}
			failed = &a
			if !asked {
				asked = true
				send(c.Hedge.Other, true)
			} else if under == 0 {
				return a.response, a.err
			}
		}
	}
}

// readFrom reads the document at p from a client.
func (c *Container) readFrom(ctx context.Context, client *azcosmos.ContainerClient, op string, p Place) (response azcosmos.ItemResponse, err error) {
	callCtx, done := c.Begin(ctx, p.Event(op))
	response, err = client.ReadItem(callCtx, p.Key, p.ID, readOptions(ctx, op))
	if err == nil {
		err = c.checkRead(response.Value, p, response.ETag)
	}
	done(response.RequestCharge, err)
	return response, err
}

// unanswered reports whether a read has failed for a reason that another region may not
// have: without an answer, by a broken one, or by one that says that the service is busy.
func unanswered(ctx context.Context, err error) bool {
	if ctx.Err() != nil || isUntrusted(err) { // a try may have a deadline of its own
		return false
	}
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) {
		return true
	}
	return answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusRequestTimeout || answer.StatusCode >= http.StatusInternalServerError
}

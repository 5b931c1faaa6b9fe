package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// offered is a container whose throughput is changed. Each assumption starts from the state that
// the last one left.
type offered struct {
	account   *account.Account
	container *account.Container
}

// offer is throughput in the service's form.
type offer struct {
	all  map[string]json.RawMessage
	rid  string
	etag string
	// have is its kind and amount: "manual 400".
	have  string
	least string // from the header
}

// throughput checks assumptions about throughput, and about listing and dropping containers.
func throughput(ctx context.Context, a *account.Account, database string) ([]Result, error) {
	c, err := create(ctx, a, database, "throughput", 400)
	if err != nil {
		return nil, err
	}
	return check(ctx, &offered{a, c}, ofThroughput())
}

// read reads the throughput of the container.
func (p *offered) read(ctx context.Context) (*offer, error) {
	body, err := json.Marshal(map[string]any{
		"query": fmt.Sprintf("SELECT * FROM c WHERE c.offerResourceId = '%s'", p.container.RID), "parameters": []any{},
	})
	if err != nil {
		return nil, err
	}
	var page struct{ Offers []map[string]json.RawMessage }
	err = p.account.Do(ctx, account.Request{
		What: "the throughput", Method: http.MethodPost, Path: "offers", Resource: "offers", Body: string(body),
		Header: map[string]string{"Content-Type": "application/query+json", "x-ms-documentdb-query": "True"},
	}, &page)
	if err != nil {
		return nil, err
	}
	if len(page.Offers) != 1 {
		return nil, fmt.Errorf("the container has %d offers", len(page.Offers))
	}
	o := &offer{all: page.Offers[0]}
	if err := json.Unmarshal(o.all["_rid"], &o.rid); err != nil {
		return nil, err
	}
	header, err := p.account.DoHeader(ctx, account.Request{What: "the throughput", Method: http.MethodGet, Path: "offers/" + o.rid, Resource: "offers", Link: strings.ToLower(o.rid)}, &o.all)
	if err != nil {
		return nil, err
	}
	o.least = header.Get("x-ms-cosmos-min-throughput")
	return o, o.decode()
}

// decode sets the ETag and the amount.
func (o *offer) decode() error {
	var content struct {
		Throughput int `json:"offerThroughput"`
		Autopilot  *struct {
			Most int `json:"maxThroughput"`
		} `json:"offerAutopilotSettings"`
	}
	if err := errors.Join(json.Unmarshal(o.all["_etag"], &o.etag), json.Unmarshal(o.all["content"], &content)); err != nil {
		return err
	}
	o.have = fmt.Sprintf("manual %d", content.Throughput)
	if content.Autopilot != nil {
		o.have = fmt.Sprintf("autoscale %d", content.Autopilot.Most)
	}
	return nil
}

// The bodies of changes, and the headers that change the kind.
const (
	manual      = `{"offerThroughput":%d}`
	autoscale   = `{"offerAutopilotSettings":{"maxThroughput":%d}}`
	toAutoscale = "x-ms-cosmos-migrate-offer-to-autopilot"
	toManual    = "x-ms-cosmos-migrate-offer-to-manual-throughput"
)

// change sends a change of throughput, and returns the throughput in the answer.
func (p *offered) change(ctx context.Context, o *offer, content string, header map[string]string) (string, error) {
	all := maps.Clone(o.all)
	all["content"] = json.RawMessage(content)
	body, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	header["Content-Type"] = "application/json"
	answer := &offer{all: map[string]json.RawMessage{}}
	err = p.account.Do(ctx, account.Request{
		What: "a change of throughput", Method: http.MethodPut, Path: "offers/" + o.rid, Resource: "offers", Link: strings.ToLower(o.rid), Body: string(body), Header: header,
	}, &answer.all)
	if err != nil {
		return "", err
	}
	err = answer.decode()
	return answer.have, err
}

// has returns an error unless the container has this throughput and minimum.
func (p *offered) has(ctx context.Context, want, least string) error {
	o, err := p.read(ctx)
	if err == nil && (o.have != want || o.least != least) {
		err = fmt.Errorf("it has %s, at least %s", o.have, o.least)
	}
	return err
}

// becomes changes the throughput, and returns an error unless first the answer, and then the
// container, have the wanted values.
func (p *offered) becomes(ctx context.Context, content string, header map[string]string, want, least string) error {
	o, err := p.read(ctx)
	if err != nil {
		return err
	}
	have, err := p.change(ctx, o, content, header)
	if err == nil && have != want {
		err = fmt.Errorf("the answer has %s", have)
	}
	return errors.Join(err, p.has(ctx, want, least))
}

// ofThroughput are the assumptions about throughput.
func ofThroughput() []assumption[*offered] {
	return []assumption[*offered]{
		{"manual 400 RU/s have x-ms-cosmos-min-throughput 400", func(ctx context.Context, p *offered) error {
			return p.has(ctx, "manual 400", "400")
		}},
		{"throughput has an ETag, and a change with another If-Match is refused with 412", func(ctx context.Context, p *offered) error {
			before, err := p.read(ctx)
			if err != nil {
				return err
			}
			condition := func() map[string]string { return map[string]string{"If-Match": before.etag} }
			if _, err := p.change(ctx, before, fmt.Sprintf(manual, 500), condition()); err != nil {
				return err
			}
			_, err = p.change(ctx, before, fmt.Sprintf(manual, 600), condition())
			return errors.Join(answered(err, http.StatusPreconditionFailed, -1), p.has(ctx, "manual 500", "400"))
		}},
		{"autoscale in place of manual throughput is refused with 400 without the header", func(ctx context.Context, p *offered) error {
			o, err := p.read(ctx)
			if err != nil {
				return err
			}
			_, err = p.change(ctx, o, fmt.Sprintf(autoscale, 1000), map[string]string{})
			return errors.Join(answered(err, http.StatusBadRequest, -1), p.has(ctx, "manual 500", "400"))
		}},
		{toAutoscale + " changes 500 manual to 1,000 autoscale, of which the least is 1,000", func(ctx context.Context, p *offered) error {
			return p.becomes(ctx, fmt.Sprintf(manual, -1), map[string]string{toAutoscale: "true"}, "autoscale 1000", "1000")
		}},
		{"the same again is refused with 400, or changes nothing", func(ctx context.Context, p *offered) error {
			o, err := p.read(ctx)
			if err != nil {
				return err
			}
			_, err = p.change(ctx, o, fmt.Sprintf(manual, -1), map[string]string{toAutoscale: "true"})
			if err != nil {
				err = answered(err, http.StatusBadRequest, -1)
			}
			return errors.Join(err, p.has(ctx, "autoscale 1000", "1000"))
		}},
		{"autoscale has another maximum at once", func(ctx context.Context, p *offered) error {
			return p.becomes(ctx, fmt.Sprintf(autoscale, 2000), map[string]string{}, "autoscale 2000", "1000")
		}},
		{toManual + " changes 2,000 autoscale to 2,000 manual, of which the least is 400", func(ctx context.Context, p *offered) error {
			return p.becomes(ctx, fmt.Sprintf(autoscale, -1), map[string]string{toManual: "true"}, "manual 2000", "400")
		}},
		{"from 2,000 manual to 1,000 autoscale by way of 2,000 autoscale", func(ctx context.Context, p *offered) error {
			return errors.Join(
				p.becomes(ctx, fmt.Sprintf(manual, -1), map[string]string{toAutoscale: "true"}, "autoscale 2000", "1000"),
				p.becomes(ctx, fmt.Sprintf(autoscale, 1000), map[string]string{}, "autoscale 1000", "1000"))
		}},
		{"a container that is read with its quota says documentsCount and collectionSize", quota},
		{"containers are listed by SELECT * FROM c", listed},
		{"a container is not deleted with another If-Match, but refused with 412", func(ctx context.Context, p *offered) error {
			return answered(p.drop(ctx, map[string]string{"If-Match": `"00000000-0000-0000-0000-000000000000"`}), http.StatusPreconditionFailed, -1)
		}},
		{"a container that does not exist is answered with 404", func(ctx context.Context, p *offered) error {
			if err := p.drop(ctx, nil); err != nil {
				return err
			}
			return answered(p.drop(ctx, nil), http.StatusNotFound, -1)
		}},
	}
}

func (p *offered) link() string {
	return "dbs/" + p.container.Database + "/colls/" + p.container.ID
}

func (p *offered) drop(ctx context.Context, header map[string]string) error {
	return drop(ctx, p.account, p.container, header)
}

func quota(ctx context.Context, p *offered) error {
	header, err := p.account.DoHeader(ctx, account.Request{
		What: "the container", Method: http.MethodGet, Path: p.link(), Resource: "colls", Link: p.link(), Header: map[string]string{"x-ms-documentdb-populatequotainfo": "true"},
	}, nil)
	if err != nil {
		return err
	}
	usage := header.Get("x-ms-resource-usage")
	if !strings.Contains(usage, "documentsCount=") || !strings.Contains(usage, "collectionSize=") {
		return fmt.Errorf("it says %q", usage)
	}
	return nil
}

func listed(ctx context.Context, p *offered) error {
	var page struct{ DocumentCollections []struct{ ID string } }
	database := "dbs/" + p.container.Database
	err := p.account.Do(ctx, account.Request{
		What: "the containers", Method: http.MethodPost, Path: database + "/colls", Resource: "colls", Link: database, Body: `{"query":"SELECT * FROM c","parameters":[]}`,
		Header: map[string]string{"Content-Type": "application/query+json", "x-ms-documentdb-query": "True"},
	}, &page)
	if err == nil && len(page.DocumentCollections) != 2 {
		err = fmt.Errorf("got %d, not 2", len(page.DocumentCollections))
	}
	return err
}

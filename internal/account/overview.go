package account

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Overview describes an account and the connection to it.
type Overview struct {
	Consistency        string   // the default consistency, such as "Session"
	Readable, Writable []string // names of its regions; the first is the primary write region
	SeveralWrites      bool     // there are several write regions

	// TLS is the state of the connection; nil if it is not encrypted.
	TLS *tls.ConnectionState
	// Took is the latency of a request on an open connection.
	Took time.Duration
	// Ahead is the service's clock minus this machine's, within about a second, because answers
	// have whole seconds. Clocked is set if the answer had a time.
	Ahead   time.Duration
	Clocked bool
}

// Overview sends two requests, which it does not repeat: the first opens the connection, the second
// is timed. They cost no request units.
func (a *Account) Overview(ctx context.Context) (Overview, error) {
	var o Overview
	var answer struct {
		Readable              []struct{ Name string } `json:"readableLocations"`
		Writable              []struct{ Name string } `json:"writableLocations"`
		Multiple              bool                    `json:"enableMultipleWriteLocations"`
		UserConsistencyPolicy struct{ DefaultConsistencyLevel string }
	}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{TLSHandshakeDone: func(state tls.ConnectionState, err error) {
		if err == nil {
			o.TLS = &state
		}
	}})
	for range 2 {
		reserved, err := a.wait(ctx)
		if err != nil {
			return o, err
		}
		begin := time.Now()
		header, _, err := a.send(traced, request{what: "the account", method: http.MethodGet}, &answer, reserved)
		o.Took = time.Since(begin)
		if date, bad := http.ParseTime(header.Get("Date")); bad == nil {
			// The service truncates times to seconds, half a second on average.
			o.Ahead, o.Clocked = date.Add(time.Second/2).Sub(begin.Add(o.Took/2)), true
		}
		if err != nil {
			return o, err
		}
	}
	o.Consistency, o.SeveralWrites = answer.UserConsistencyPolicy.DefaultConsistencyLevel, answer.Multiple
	for _, region := range answer.Readable {
		o.Readable = append(o.Readable, region.Name)
	}
	for _, region := range answer.Writable {
		o.Writable = append(o.Writable, region.Name)
	}
	return o, nil
}

// Endpoint returns the URL of the account.
func (a *Account) Endpoint() string { return a.endpoint }

// Identity reports whether requests are authorized by tokens of Microsoft Entra ID.
func (a *Account) Identity() bool { return a.tokens != nil }

// Offer is the throughput of a container or a database.
type Offer struct {
	Manual    int // RU/s; 0 with autoscale
	Autoscale int // maximum RU/s of autoscale, or 0
	Least     int // the lowest RU/s that the service accepts, or 0
	// Partitions is the RU/s of each physical partition, unordered; nil if the service does not
	// report it.
	Partitions []float64
}

// Offer returns the throughput of a container or database by its RID, or nil if it has none of its
// own. It sends one to three requests. The error has status 403 with a token of Microsoft Entra ID,
// and 400 in a serverless account.
func (a *Account) Offer(ctx context.Context, rid string) (*Offer, error) {
	body, err := json.Marshal(map[string]any{
		"query": "SELECT * FROM c WHERE c.offerResourceId = @rid", "parameters": []map[string]string{{"name": "@rid", "value": rid}},
	})
	if err != nil {
		return nil, err
	}
	var page struct {
		Offers []struct {
			RID     string `json:"_rid"`
			Content struct {
				Throughput int `json:"offerThroughput"`
				Autopilot  *struct {
					Most int `json:"maxThroughput"`
				} `json:"offerAutopilotSettings"`
			} `json:"content"`
		}
	}
	_, err = a.do(ctx, request{
		what: "the throughput", method: http.MethodPost, path: "offers", resource: "offers", body: string(body),
		header: map[string]string{"Content-Type": "application/query+json", "x-ms-documentdb-isquery": "True", "x-ms-documentdb-query": "True"},
	}, &page)
	if err != nil || len(page.Offers) == 0 {
		return nil, err
	}
	found := page.Offers[0]
	offer := &Offer{Manual: found.Content.Throughput}
	if found.Content.Autopilot != nil {
		offer.Manual, offer.Autoscale = 0, found.Content.Autopilot.Most
	}
	// The header is undocumented, but Microsoft's SDKs have it, and the property of the answer
	// (OfferContentV2.PhysicalPartitionThroughputInfo).
	get := request{
		what: "the throughput", method: http.MethodGet, path: "offers/" + found.RID, resource: "offers", link: strings.ToLower(found.RID),
		header: map[string]string{"x-ms-cosmos-include-physical-partition-throughput-info": "True"},
	}
	var distributed struct {
		Content struct {
			Partitions json.RawMessage `json:"physicalPartitionThroughputInfo"`
		} `json:"content"`
	}
	header, err := a.do(ctx, get, &distributed)
	if Is(err, http.StatusBadRequest) {
		get.header = nil
		header, err = a.do(ctx, get, nil)
	}
	if err != nil {
		return nil, err
	}
	offer.Least, _ = strconv.Atoi(header.Get("x-ms-cosmos-min-throughput"))
	var partitions []struct {
		Units float64 `json:"throughput"`
	}
	if json.Unmarshal(distributed.Content.Partitions, &partitions) == nil {
		for _, p := range partitions {
			offer.Partitions = append(offer.Partitions, p.Units)
		}
	}
	return offer, nil
}

// DatabaseRID returns the RID of a database.
func (a *Account) DatabaseRID(ctx context.Context, id string) (string, error) {
	var database struct {
		RID string `json:"_rid"`
	}
	_, err := a.do(ctx, request{what: fmt.Sprintf("database %q", id), method: http.MethodGet, path: "dbs/" + url.PathEscape(id), resource: "dbs", link: "dbs/" + id}, &database)
	return database.RID, err
}

// IndexMetrics are the service's index metrics of a query ("Indexing metrics in Azure Cosmos DB").
type IndexMetrics struct {
	PotentialSingleIndexes    []SingleIndex    `json:"PotentialSingleIndexes"`
	PotentialCompositeIndexes []CompositeIndex `json:"PotentialCompositeIndexes"`
}

// SingleIndex is an index that would serve a query.
type SingleIndex struct {
	IndexSpec string `json:"IndexSpec"`
}

// CompositeIndex is a composite index that would serve a query.
type CompositeIndex struct {
	IndexSpecs []string `json:"IndexSpecs"`
}

// IndexMetrics sends a query to one physical partition of a container and returns its index
// metrics. It reads one page of at most one row, and costs the request units of that page.
func (a *Account) IndexMetrics(ctx context.Context, c *Container, query string) (IndexMetrics, error) {
	var m IndexMetrics
	ranges, err := a.knownRanges(ctx, c)
	if err != nil || len(ranges) == 0 {
		return m, err
	}
	body, err := json.Marshal(map[string]any{"query": query, "parameters": []any{}})
	if err != nil {
		return m, err
	}
	r := c.request("/docs", "docs", string(body))
	maps.Copy(r.header, map[string]string{
		"Content-Type": "application/query+json", "x-ms-documentdb-isquery": "True", "x-ms-documentdb-query": "True",
		"x-ms-documentdb-query-enablecrosspartition": "True", "x-ms-max-item-count": "1",
		"x-ms-cosmos-populateindexmetrics": "True", "x-ms-documentdb-partitionkeyrangeid": ranges[0].ID,
	})
	header, err := a.do(ctx, r, nil)
	if err != nil {
		return m, err
	}
	text, err := base64.StdEncoding.DecodeString(header.Get("x-ms-cosmos-index-utilization"))
	if err != nil || len(text) == 0 {
		return m, nil //nolint:nilerr // of another form than is known, or not given
	}
	_ = json.Unmarshal(text, &m) // metrics of an unknown form are ignored
	return m, nil
}

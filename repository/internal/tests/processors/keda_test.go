package processors

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// scaler reads leases and the change feed as the scaler azure-cosmosdb of KEDA does:
// pkg/scalers/azure_cosmosdb_scaler.go of kedacore/keda, pull requests 7557 and, for
// leases of ranges, issue 8088.
type scaler struct {
	endpoint string
}

// scaledLease is what the scaler reads of a lease.
type scaledLease struct {
	ID                string `json:"id"`
	LeaseToken        string `json:"LeaseToken"`
	ContinuationToken string `json:"ContinuationToken"`
	Version           int    `json:"version"`
	FeedRange         struct {
		Range struct {
			Min, Max                       *string
			IsMinInclusive, IsMaxInclusive *bool
		}
	} `json:"FeedRange"` // whatever its case: encoding/json does not look at it
}

func (s *scaler) send(t *testing.T, method, path, body string, headers ...string) (header http.Header, text []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.endpoint+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "type%3Daad%26ver%3D1.0%26sig%3Dx")
	r.Header.Set("x-ms-version", "2018-12-31")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusNotModified {
		t.Fatalf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return response.Header, text
}

// leases queries the leases of a processor. Other documents have no LeaseToken.
func (s *scaler) leases(t *testing.T, processor string) []scaledLease {
	t.Helper()
	account := strings.SplitN(strings.TrimPrefix(s.endpoint, "http://"), ".", 2)[0]
	body := fmt.Sprintf(`{"query":"SELECT * FROM c WHERE STARTSWITH(c.id, @prefix)","parameters":[{"name":"@prefix","value":%q}]}`, processor+account+".")
	headers := []string{"Content-Type", "application/query+json", "x-ms-documentdb-isquery", "true", "x-ms-documentdb-query-enablecrosspartition", "true"}
	var all []scaledLease
	for {
		header, text := s.send(t, http.MethodPost, "dbs/db/colls/leases/docs", body, headers...)
		var page struct{ Documents []scaledLease }
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Documents...)
		next := header.Get("x-ms-continuation")
		if next == "" {
			return slices.DeleteFunc(all, func(l scaledLease) bool { return l.LeaseToken == "" })
		}
		headers = append(headers[:6:6], "x-ms-continuation", next)
	}
}

// lag is how many transactions come after a lease's continuation.
func (s *scaler) lag(t *testing.T, l scaledLease) int64 {
	t.Helper()
	headers := []string{"A-IM", "Incremental feed", "x-ms-max-item-count", "1"}
	id, continuation := l.LeaseToken, l.ContinuationToken
	switch l.Version {
	case 0:
	case 1:
		r := l.FeedRange.Range
		if r.Min == nil || r.Max == nil || r.IsMinInclusive != nil && !*r.IsMinInclusive || r.IsMaxInclusive != nil && *r.IsMaxInclusive {
			t.Fatalf("the range of the lease %s cannot be read", l.ID)
		}
		id = s.physical(t, *r.Min, *r.Max)
		continuation = stateOfJava(t, continuation, *r.Min, *r.Max)
	default:
		t.Fatalf("the lease %s has the version %d", l.ID, l.Version)
	}
	headers = append(headers, "x-ms-documentdb-partitionkeyrangeid", id)
	if continuation != "" {
		headers = append(headers, "If-None-Match", continuation)
	}
	header, text := s.send(t, http.MethodGet, "dbs/db/colls/things/docs", "", headers...)
	var page struct {
		Documents []struct {
			LSN int64 `json:"_lsn"`
		}
	}
	if len(text) == 0 { // 304: there is nothing new
		return 0
	}
	if err := json.Unmarshal(text, &page); err != nil {
		t.Fatal(err)
	}
	if len(page.Documents) == 0 {
		return 0
	}
	session := header.Get("x-ms-session-token")
	_, numbers, _ := strings.Cut(session, ":")
	segments := strings.Split(numbers, "#")
	n, err := strconv.ParseInt(segments[min(1, len(segments)-1)], 10, 64)
	if err != nil {
		t.Fatalf("the session token %q: %v", session, err)
	}
	return n - page.Documents[0].LSN + 1
}

// physical returns the id of the physical partition of exactly this range.
func (s *scaler) physical(t *testing.T, least, most string) string {
	t.Helper()
	_, text := s.send(t, http.MethodGet, "dbs/db/colls/things/pkranges", "")
	var list struct {
		Ranges []struct{ ID, MinInclusive, MaxExclusive string } `json:"PartitionKeyRanges"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, r := range list.Ranges {
		if r.MinInclusive == least && r.MaxExclusive == most {
			return r.ID
		}
	}
	t.Fatalf("no physical partition has the range from %q to below %q", least, most)
	return ""
}

// stateOfJava returns the service's ETag from the state of a client in Java, or the
// text as it is if it is an ETag.
func stateOfJava(t *testing.T, continuation, least, most string) string {
	t.Helper()
	if continuation == "" || strings.HasPrefix(continuation, `"`) {
		return continuation
	}
	text, err := base64.StdEncoding.DecodeString(continuation)
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		V            int
		Mode         string
		Continuation struct {
			V            int
			Continuation []struct {
				Token string
				Range struct{ Min, Max string }
			}
		}
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	tokens := state.Continuation.Continuation
	if state.V != 1 || state.Mode != "INCREMENTAL" || state.Continuation.V != 1 || len(tokens) != 1 ||
		tokens[0].Token == "" || tokens[0].Range.Min > least || tokens[0].Range.Max < most {
		t.Fatalf("the state of the client cannot be read: %s", text)
	}
	return tokens[0].Token
}

// TestScalerOfKEDA has KEDA's scaler read leases of each dialect, when all is handled
// and after more was written.
func TestScalerOfKEDA(t *testing.T) {
	t.Parallel()
	for _, dialect := range []feed.LeaseDialect{feed.DotNet, feed.JavaRange, feed.JavaEPK} {
		things := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(nil), false)
		leases := kit.NewLeases(t, things.Server)
		s := scaler{things.Server.Endpoint()}
		var got kit.Handled
		p := feed.NewProcessor(things.Documents, "app", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
			got.Note(changes)
			return nil
		}, kit.Quick, feed.WithLeaseDialect(dialect), feed.PollEvery(20*time.Millisecond))
		check := func(when string, least, most int64) {
			t.Helper()
			found := s.leases(t, "app")
			lags, err := p.Lag(t.Context())
			if err != nil || len(found) != 3 || len(lags) != 3 {
				t.Fatalf("dialect %d, %s: the scaler finds %d leases, and there are %d, %v", dialect, when, len(found), len(lags), err)
			}
			all := int64(0)
			for _, l := range found {
				n := s.lag(t, l)
				all += n
				i := slices.IndexFunc(lags, func(lag feed.LeaseLag) bool { return lag.Lease == l.LeaseToken })
				if i < 0 || lags[i].Changes != n {
					t.Errorf("dialect %d, %s: the scaler says %d of lease %s, want %+v", dialect, when, n, l.LeaseToken, lags)
				}
			}
			if all < least || all > most {
				t.Errorf("dialect %d, %s: the scaler says %d in all, want %d to %d", dialect, when, all, least, most)
			}
		}
		end := kit.RunProcessor(t, p)
		got.Await(t, things.Add(t, "a", 30))
		end()
		check("all is handled", 0, 0)
		things.Add(t, "b", 20)
		check("20 documents later", 10, 20) // a transaction counts as one
		if others := s.leases(t, "ap"); len(others) != 0 {
			t.Errorf("a processor whose name begins alike has %d leases", len(others))
		}
	}
}

// TestManifestOfKEDA compares the names in the manifest of the docs with those that
// the scaler reads.
func TestManifestOfKEDA(t *testing.T) {
	known := []string{
		"databaseId", "containerId", "leaseDatabaseId", "leaseContainerId", "processorName", "endpoint", "connection", "leaseEndpoint",
		"leaseConnection", "cosmosDBKey", "leaseCosmosDBKey", "changeFeedLagThreshold", "activationChangeFeedLagThreshold",
	}
	text, err := os.ReadFile("../../../../docs/processor.md")
	if err != nil {
		t.Fatal(err)
	}
	_, manifest, _ := strings.Cut(string(text), "- type: azure-cosmosdb\n")
	_, metadata, _ := strings.Cut(manifest, "      metadata:\n")
	metadata, _, _ = strings.Cut(metadata, "      authenticationRef:\n")
	var names []string
	for line := range strings.Lines(metadata) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		names = append(names, name)
		if !slices.Contains(known, name) {
			t.Errorf("the scaler does not know %q", name)
		}
	}
	for _, name := range known[:5] { // those that it requires
		if !slices.Contains(names, name) {
			t.Errorf("the manifest lacks %s", name)
		}
	}
}

package table_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table"
)

// byHand is event as a program writes it for aztables itself.
type byHand struct {
	PartitionKey string
	RowKey       string
	Device       string               `json:"device"`
	Name         string               `json:"name"`
	Speed        int32                `json:"speed"`
	BigType      string               `json:"big@odata.type"`
	Big          int64                `json:"big,string"`
	RatioType    string               `json:"ratio@odata.type"`
	Ratio        float64              `json:"ratio"`
	On           bool                 `json:"on"`
	AtType       string               `json:"at@odata.type"`
	At           aztables.EDMDateTime `json:"at"`
	GUIDType     string               `json:"guid@odata.type"`
	GUID         guid                 `json:"guid"`
	RawType      string               `json:"raw@odata.type"`
	Raw          []byte               `json:"raw"`
	Maybe        *string              `json:"maybe,omitempty"`
}

func hand(e *event) byHand {
	return byHand{
		e.Device, e.ID, e.Device, e.Name, e.Speed, "Edm.Int64", e.Big, "Edm.Double", e.Ratio, e.On,
		"Edm.DateTime", aztables.EDMDateTime(e.At), "Edm.Guid", e.GUID, "Edm.Binary", e.Raw, e.Maybe,
	}
}

// served is a service over HTTP on this machine that stores nothing: what both ways cost
// besides it is theirs.
func served(b *testing.B) *table.Service {
	b.Helper()
	var all []json.RawMessage
	for i := range 100 {
		text, err := json.Marshal(hand(sample(i)))
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, text)
	}
	page, err := json.Marshal(map[string]any{"value": all})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("ETag", "W/\"1\"")
		switch {
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusNoContent)
		case strings.Contains(r.URL.Path, "RowKey"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(all[1])
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(page)
		}
	}))
	b.Cleanup(server.Close)
	s, err := aztables.NewServiceClientFromConnectionString(
		"DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==;TableEndpoint="+server.URL+"/a;", table.Configure(nil))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// pair runs an operation by the repository and by aztables itself, in turns, so that both
// meet the same machine. It reports how many times as long the repository takes.
func pair(b *testing.B, repository, aztablesAlone func() error) {
	b.Helper()
	for name, f := range map[string]func() error{"repository": repository, "aztables": aztablesAlone} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("ratio", func(b *testing.B) {
		var took [2]time.Duration
		for b.Loop() {
			for i, f := range []func() error{repository, aztablesAlone} {
				start := time.Now()
				if err := f(); err != nil {
					b.Fatal(err)
				}
				took[i] += time.Since(start)
			}
		}
		b.ReportMetric(float64(took[0])/float64(took[1]), "times")
	})
}

func BenchmarkCreate(b *testing.B) {
	s := served(b)
	docs, client := table.New(s, "Events", &eventModel), s.NewClient("Events")
	pair(b, func() error { return docs.Create(ctx, sample(1)) }, func() error {
		text, err := json.Marshal(hand(sample(1)))
		if err == nil {
			_, err = client.AddEntity(ctx, text, nil)
		}
		return err
	})
}

func BenchmarkGet(b *testing.B) {
	s := served(b)
	docs, client := table.New(s, "Events", &eventModel), s.NewClient("Events")
	pair(b, func() error { _, err := docs.Get(ctx, sample(1).Key()); return err }, func() error {
		found, err := client.GetEntity(ctx, "d1", "e001", nil)
		if err != nil {
			return err
		}
		return json.Unmarshal(found.Value, new(byHand))
	})
}

func BenchmarkQueryOf100(b *testing.B) {
	s := served(b)
	docs, client := table.New(s, "Events", &eventModel), s.NewClient("Events")
	pair(b, func() error {
		found, err := table.NewQuery(docs, generated.Partition("d1")).Where(eventFields.Speed.Ge(0)).Collect(ctx)
		if err == nil && len(found) != 100 {
			err = fmt.Errorf("%d documents", len(found))
		}
		return err
	}, func() error {
		filter := "PartitionKey eq 'd1' and speed ge 0"
		pager := client.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter})
		var found []*byHand
		for pager.More() {
			page, err := pager.NextPage(ctx)
			if err != nil {
				return err
			}
			for _, text := range page.Entities {
				doc := new(byHand)
				if err := json.Unmarshal(text, doc); err != nil {
					return err
				}
				found = append(found, doc)
			}
		}
		if len(found) != 100 {
			return fmt.Errorf("%d documents", len(found))
		}
		return nil
	})
}

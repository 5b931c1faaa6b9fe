package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/azurite"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/ferretdb"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop"
)

// wellKnown is the account that every Azurite has ("Use the Azurite emulator").
const wellKnown = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;" +
	"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"

// wantPage is the page of an emulator of 5 physical partitions.
const wantPage = `
                       NoSQL              Table               MongoDB           Gremlin
key of r007            2018-08-09.6       2018-08-09.6        2018-08-09.6      2018-08-09.6
100 creates            100 requests       100 requests        100 requests      100 requests
a point read           1 request          1 request           1 request         1 request
a day, of 20 buckets   5 requests         20 requests         1 request         1 request
its values above 9     6, by 5 requests   6, by 20 requests   6, by 1 request   6, by 1 request
read back unchanged    100 of 100         100 of 100          100 of 100        100 of 100
keys as of NoSQL       100 of 100         100 of 100          100 of 100        100 of 100
`

func TestPage(t *testing.T) {
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	tables, err := azurite.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tables.Close)
	ferret, err := ferretdb.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ferret.Stop(); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("GREMLIN_KEY", tinkerpop.Password)
	stores, closing, err := open(t.Context(), places{
		nosql:   server.ConnectionString(),
		table:   wellKnown + "TableEndpoint=http://" + tables.Address() + "/devstoreaccount1;",
		mongo:   "mongodb://" + ferret.Address + "/",
		gremlin: tinkerpop.Start(t, "partitionKey").Endpoint(),
	})
	t.Cleanup(closing)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := page(t.Context(), &got, stores); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantPage[1:], got.String()); diff != "" {
		t.Errorf("the page is another one (-want +got):\n%s", diff)
	}
}

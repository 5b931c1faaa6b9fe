package provision

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// The probe checks what packages provision and windows assume of the service and its
// documentation does not say, or says in an example only. It runs against the emulator with
// every test, and against an account when COSMOS_CONNECTION_STRING names one:
//
//	COSMOS_CONNECTION_STRING=… go test ./repository/internal/provision -run TestProbeLive -v
//
// There it creates a database whose name begins with pkgen-probe, with a container of 400
// request units a second, and deletes it at the end. It changes throughput six times, of the
// 25 that the account has in five minutes.

func TestProbeEmulator(t *testing.T) {
	probe(t, emulator.New(t, emulator.Options{}).Client(configured()))
}

func TestProbeLive(t *testing.T) {
	connection := os.Getenv("COSMOS_CONNECTION_STRING")
	if connection == "" {
		t.Skip("COSMOS_CONNECTION_STRING names no account to ask")
	}
	client, err := azcosmos.NewClientFromConnectionString(connection, configured())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	probe(t, client)
}

func configured() *azcosmos.ClientOptions {
	var o azcosmos.ClientOptions
	wire.AddPolicies(&o)
	return &o
}

func probe(t *testing.T, client *azcosmos.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	name := fmt.Sprintf("pkgen-probe-%d", time.Now().UnixNano())
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: name}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := db.Delete(context.WithoutCancel(ctx), nil); err != nil {
			t.Errorf("database %s is not deleted: %v", name, err)
		}
	}()
	properties := azcosmos.ContainerProperties{
		ID: "probe", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2},
	}
	if _, err := db.CreateContainer(ctx, properties, &azcosmos.CreateContainerOptions{ThroughputProperties: Manual(400).properties()}); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer("probe")
	if err != nil {
		t.Fatal(err)
	}
	p := &prober{Container: Container{DB: db, Want: &properties, Throughput: Manual(400), client: container}}
	for _, assumption := range assumptions {
		if err := assumption.check(ctx, p); err != nil {
			t.Errorf("NO: %s: %v", assumption.says, err)
			continue
		}
		t.Logf("yes: %s", assumption.says)
	}
}

// prober is a container whose throughput is changed. Each assumption begins where the last
// one ended.
type prober struct{ Container }

// change sends a change of throughput.
func (p *prober) change(ctx context.Context, c wire.OfferChange, want Throughput) (provisioned, error) {
	var properties azcosmos.ThroughputProperties
	if want.own() {
		properties = *want.properties()
	}
	response, err := c.Replace(ctx, p.client, properties)
	if err != nil {
		return provisioned{}, err
	}
	return newProvisioned(response), nil
}

// has returns an error unless the container has this throughput, of which the least is as
// given.
func (p *prober) has(ctx context.Context, want Throughput, least int32) error {
	have, err := p.readThroughput(ctx)
	if err == nil && (have.Throughput != want || have.least != least) {
		err = fmt.Errorf("it has %v, at least %d", have, have.least)
	}
	return err
}

// refused returns an error unless err is a response of this status.
func refused(err error, status int) error {
	if got := wire.StatusOf(err); got != status {
		return fmt.Errorf("answered %d, not %d: %v", got, status, err)
	}
	return nil
}

var assumptions = []struct {
	says  string
	check func(context.Context, *prober) error
}{
	{"manual 400 RU/s have x-ms-cosmos-min-throughput 400", func(ctx context.Context, p *prober) error { return p.has(ctx, Manual(400), 400) }},
	{"throughput has an ETag, and a change with another If-Match is refused with 412", func(ctx context.Context, p *prober) error {
		before, err := p.readThroughput(ctx)
		if err != nil {
			return err
		}
		if _, err = p.change(ctx, wire.OfferChange{Unchanged: before.etag}, Manual(500)); err != nil {
			return err
		}
		_, err = p.change(ctx, wire.OfferChange{Unchanged: before.etag}, Manual(600))
		return errors.Join(refused(err, http.StatusPreconditionFailed), p.has(ctx, Manual(500), 400))
	}},
	{"autoscale in place of manual throughput is refused with 400 without the header", func(ctx context.Context, p *prober) error {
		_, err := p.change(ctx, wire.OfferChange{}, Autoscale(1000))
		return errors.Join(refused(err, http.StatusBadRequest), p.has(ctx, Manual(500), 400))
	}},
	{"x-ms-cosmos-migrate-offer-to-autopilot changes 500 manual to 1,000 autoscale, of which the least is 1,000", func(ctx context.Context, p *prober) error {
		have, err := p.change(ctx, wire.OfferChange{ToAutoscale: true}, Throughput{})
		if err == nil && have.Throughput != Autoscale(1000) {
			err = fmt.Errorf("the answer has %v", have)
		}
		return errors.Join(err, p.has(ctx, Autoscale(1000), 1000))
	}},
	{"the same again is refused with 400, or changes nothing", func(ctx context.Context, p *prober) error {
		_, err := p.change(ctx, wire.OfferChange{ToAutoscale: true}, Throughput{})
		if err != nil {
			err = refused(err, http.StatusBadRequest)
		}
		return errors.Join(err, p.has(ctx, Autoscale(1000), 1000))
	}},
	{"autoscale has another maximum at once", func(ctx context.Context, p *prober) error {
		_, err := p.change(ctx, wire.OfferChange{}, Autoscale(2000))
		return errors.Join(err, p.has(ctx, Autoscale(2000), 1000))
	}},
	{"x-ms-cosmos-migrate-offer-to-manual-throughput changes 2,000 autoscale to 2,000 manual, of which the least is 400", func(ctx context.Context, p *prober) error {
		have, err := p.change(ctx, wire.OfferChange{ToManual: true}, Throughput{})
		if err == nil && have.Throughput != Manual(2000) {
			err = fmt.Errorf("the answer has %v", have)
		}
		return errors.Join(err, p.has(ctx, Manual(2000), 400))
	}},
	{"Ensure comes from 2,000 manual to 1,000 autoscale", func(ctx context.Context, p *prober) error {
		want := Container{DB: p.DB, Want: p.Want, Throughput: Autoscale(1000), ApplyThroughput: true}
		_, err := want.Ensure(ctx)
		return errors.Join(err, p.has(ctx, Autoscale(1000), 1000))
	}},
	{"a container that is read with its quota says documentsCount and collectionSize", func(ctx context.Context, p *prober) error {
		response, err := p.client.Read(ctx, &azcosmos.ReadContainerOptions{PopulateQuotaInfo: true})
		if err != nil {
			return err
		}
		usage := response.RawResponse.Header.Get("x-ms-resource-usage")
		if !strings.Contains(usage, "documentsCount=") || !strings.Contains(usage, "collectionSize=") {
			return fmt.Errorf("it says %q", usage)
		}
		return nil
	}},
	{"containers are listed by SELECT * FROM c", func(ctx context.Context, p *prober) error {
		page, err := p.DB.NewQueryContainersPager("SELECT * FROM c", nil).NextPage(ctx)
		if err == nil && (len(page.Containers) != 1 || page.Containers[0].ID != "probe") {
			err = fmt.Errorf("got %d", len(page.Containers))
		}
		return err
	}},
	{"a container is not deleted with another If-Match, but refused with 412", func(ctx context.Context, p *prober) error {
		header := http.Header{"If-Match": {`"00000000-0000-0000-0000-000000000000"`}}
		_, err := p.client.Delete(policy.WithHTTPHeader(ctx, header), nil)
		return refused(err, http.StatusPreconditionFailed)
	}},
	{"a container that does not exist is answered with 404", func(ctx context.Context, p *prober) error {
		if _, err := p.client.Delete(ctx, nil); err != nil {
			return err
		}
		_, err := p.client.Delete(ctx, nil)
		return refused(err, http.StatusNotFound)
	}},
}

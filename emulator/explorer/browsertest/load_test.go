package browsertest

import (
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// load makes a container of telemetry and sends requests, most of them to one key.
func (b *tab) load(seconds int) {
	b.t.Helper()
	ctx := b.t.Context()
	client := b.account.Client(nil)
	_, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet"}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	db, _ := client.NewDatabase("fleet")
	for _, p := range []azcosmos.ContainerProperties{
		{ID: "telemetry", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/vehicle"}, Version: 2}},
		{ID: "orders", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/tenant", "/customer"}, Kind: azcosmos.PartitionKeyKindMultiHash, Version: 2}},
	} {
		if _, err := db.CreateContainer(ctx, p, nil); err != nil {
			b.t.Fatal(err)
		}
	}
	c, _ := db.NewContainer("telemetry")
	n := 0
	write := func(vehicle string) {
		n++
		text := fmt.Sprintf(`{"id":"e%d","vehicle":%q,"speed":%d,"at":"2026-03-0%dT10:00:00Z","tags":["a",%d],"note":"Grüße"}`, n, vehicle, n%140, n%9+1, n)
		_, _ = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(vehicle), []byte(text), nil) // a 429 is what is looked at
	}
	for i := range 60 {
		write(fmt.Sprintf("bus-%02d", i))
	}
	for range seconds {
		until := time.Now().Add(time.Second)
		for i := range 90 {
			write("truck-07")
			if i%3 == 0 {
				write(fmt.Sprintf("bus-%02d", i%60))
			}
		}
		time.Sleep(max(0, time.Until(until)))
	}
}

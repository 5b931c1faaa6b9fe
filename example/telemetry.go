package main

import (
	"context"
	"fmt"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/telemetry"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// runTelemetry stores a few readings of one device and reads its year.
func runTelemetry(ctx context.Context, db *azcosmos.DatabaseClient, out io.Writer) error {
	container, err := telemetry.EnsureReadingContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		return err
	}
	repo := telemetry.NewReadingRepository(container)
	r := newReport(out, "Telemetry", telemetry.ReadingKeyLayout)

	reading := telemetry.Reading{DeviceID: "abc-123", Date: 2018}
	err = r.do(ctx, "readings of device abc-123 stored", func(ctx context.Context) (int, error) {
		const n = 24
		for hour := range n {
			reading.ID = fmt.Sprintf("r%02d", hour)
			reading.Celsius = 20 + float64(hour%12)/4
			if err := repo.Upsert(ctx, &reading); err != nil {
				return 0, err
			}
		}
		return n, nil
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "point read of reading "+reading.ID, func(ctx context.Context) (int, error) {
		_, err := repo.Get(ctx, reading.Key())
		return 1, err
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "the device's year, logical partition "+reading.PartitionKey(), func(ctx context.Context) (int, error) {
		return count(repo.ByDeviceIDAndDate(reading.DeviceID, reading.Date).All(ctx))
	})
	if err != nil {
		return err
	}
	return r.print()
}

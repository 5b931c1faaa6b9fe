package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/interop/keys/document"
)

// read reads the documents of a writer, each by the key that Go makes of its
// sample, and returns how many it found. The error joins what is wrong.
func read(ctx context.Context, client *azcosmos.Client, writer string, out io.Writer) (int, error) {
	measurements, err := client.NewContainer(databaseID, document.MeasurementContainer().ID)
	if err != nil {
		return 0, err
	}
	visits, err := client.NewContainer(databaseID, document.VisitContainer().ID)
	if err != nil {
		return 0, err
	}
	s, err := samplesOf(writer)
	if err != nil {
		return 0, err
	}
	var wrong []error
	for _, m := range s.Measurements {
		m.Stored = m.PartitionKey()
		got, err := document.NewMeasurementRepository(measurements).Get(ctx, m.Key())
		wrong = append(wrong, compare(m.ID, got, m, err))
	}
	for _, v := range s.Visits {
		v.Stored = level3(v)
		got, err := document.NewVisitRepository(visits).Get(ctx, v.Key())
		wrong = append(wrong, compare(v.ID, got, v, err))
	}
	found := 0
	for _, err := range wrong {
		if err == nil {
			found++
		}
	}
	fmt.Fprintf(out, "%d of %d documents of %s are read by Go\n", found, len(wrong), writer)
	return found, errors.Join(wrong...)
}

// level3 returns the text of the third level of a visit's key.
func level3(v *document.Visit) string { return v.At.UTC().Format("2006-01") }

// compare returns an error if a document was not read, or is another one.
func compare[T any](id string, got, want *T, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		return fmt.Errorf("%s: the document (-) is not the sample (+):\n%s", id, diff)
	}
	return nil
}

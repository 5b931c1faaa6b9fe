package analyze

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// readContainer reads a container.
func (a *analyzing) readContainer(ctx context.Context, options analyze.Options, log *logged, documents *atomic.Int64) (*analyze.Report, error) {
	plan, err := target.SamplingOf(*a.sample, *a.limit, *a.budget, *a.seed)
	if err != nil {
		return nil, err
	}
	plan.Told = documents.Store
	from, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	from.Pace(*a.budget)
	container, err := from.Find(ctx, *a.Database, *a.Container)
	if err != nil {
		return nil, err
	}
	known := container.PartitionKey.Version == account.Version
	var ranges []account.Range
	if known {
		if ranges, err = from.Ranges(ctx, container); err != nil {
			return nil, err
		}
		slices.SortFunc(ranges, func(a, b account.Range) int { return partition.CompareEPK(a.Min, b.Min) })
		for _, r := range ranges {
			options.Bounds = append(options.Bounds, r.Min)
		}
	}
	c := analyze.New(options)
	plan.Windowed = c.Windows
	read := int64(0)
	s, err := from.Sample(ctx, container, plan, func(page []json.RawMessage) {
		for _, d := range page {
			read++
			c.Add(read, d)
			log.add(d)
		}
	})
	if err != nil {
		return nil, err
	}
	report := c.Report()
	if report.Documents == 0 {
		return nil, fmt.Errorf("container %s: %w", plain.Word(*a.Container), noDocuments(report))
	}
	report.Sample = sampleOf(s, *a.Container)
	if s.Of > 1 {
		report.Stored(counted(s.Statistics, ranges))
	}
	if !known {
		report.Sample.Error = "the container's partition key has version 1, which hashes differently: the figures are for a container of version 2, and leave out its own physical partitions"
	}
	return report, nil
}

// counted returns the service's count of documents in each physical partition.
func counted(s account.Statistics, ranges []account.Range) []int64 {
	var documents []int64
	for _, r := range ranges {
		for _, p := range s.Partitions {
			if p.ID == r.ID {
				documents = append(documents, p.Documents)
			}
		}
	}
	return documents
}

// sampleOf describes a sample of a container.
func sampleOf(s *account.Sample, container string) analyze.Sample {
	to := analyze.Sample{Source: container, Container: true, Share: s.Share, RequestUnits: s.Charge, Stopped: s.Stopped}
	if s.Of > 1 {
		to.Windows, to.Of, to.Missed = s.Windows, s.Of, 1-s.Share
		to.Error = fmt.Sprintf("a window has all documents of a key or none, so each key, also a hot one, is missed with a probability of %.3g%%", 100*to.Missed)
		if e := s.Estimate; e != nil {
			to.Estimate = &analyze.Estimate{Documents: e.Documents, Error: e.Error}
			to.Error += "; " + estimateText(*e, s.Statistics.Documents)
		}
		to.Error += "; the keys of its own layout are placed at random, because the windows cover only part of the key space"
		if len(s.Statistics.Partitions) > 0 {
			to.Error += ", except for its own physical partitions, whose documents the service counts"
		}
	}
	for _, p := range s.Statistics.Partitions {
		stored := analyze.StoredPartition{ID: p.ID, Documents: p.Documents, Bytes: p.Bytes}
		for _, k := range p.Keys {
			stored.Keys = append(stored.Keys, analyze.StoredKey{Key: k.Key, Bytes: k.Bytes})
		}
		to.Partitions = append(to.Partitions, stored)
	}
	return to
}

// estimateText describes a container's number of documents by a sample, and by the service, whose
// number is negative if it has not counted.
func estimateText(e account.Estimate, service int64) string {
	text := fmt.Sprintf("by the sample, the container has %.0f ± %.0f documents, with a confidence of 95%% unless few keys have most of them", e.Documents, e.Error)
	if service < 0 {
		return text
	}
	text += fmt.Sprintf("; the service counts %d", service)
	switch {
	case float64(service) > e.Documents+e.Error:
		text += ", so the sample probably lacks the largest keys"
	case float64(service) < e.Documents-e.Error:
		text += ", so large keys are overrepresented in the sample"
	}
	return text
}

// statisticsText describes the service's statistics of a container.
func statisticsText(b *strings.Builder, s analyze.Sample) {
	if s.Container && len(s.Partitions) == 0 {
		paragraph(b, "the gateway returns no statistics of physical partitions")
	}
	for _, p := range s.Partitions {
		paragraph(b, fmt.Sprintf("by the service's statistics, physical partition %s has %s, %s", p.ID, cli.HowMany(int(p.Documents), "document"), analyze.Size(p.Bytes)))
		for _, k := range p.Keys {
			paragraph(b, fmt.Sprintf("by the service's statistics, key %s has %s there", shortKey(k.Key), analyze.Size(k.Bytes)))
		}
	}
}

package account

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

// Statistics is what the service itself says of a container. The gateway need not give
// it: what is absent has not been given.
type Statistics struct {
	// Documents is how many documents the container has, and Bytes how much they are,
	// to the kilobyte, by the header x-ms-resource-usage. They are -1 if it was not
	// given. The service counts in the background, so both may be a little late.
	Documents int64 `json:"documents"`
	Bytes     int64 `json:"bytes"`
	// Partitions are the physical partitions; nil if they were not given.
	Partitions []PartitionStatistics `json:"partitions"`
}

// PartitionStatistics is what the service says of a physical partition.
type PartitionStatistics struct {
	ID        string `json:"id"`
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"` // to the kilobyte
	// Keys are logical partitions that have more than others. Azure documents that they
	// come from a sample, and that those of less than 1 GB may be missing.
	Keys []KeyStatistics `json:"keys"`
}

// KeyStatistics is what the service says of a logical partition.
type KeyStatistics struct {
	Key   string `json:"key"` // a JSON array
	Bytes int64  `json:"bytes"`
}

// Statistics returns the service's statistics of a container: one metadata request with
// x-ms-documentdb-populatequotainfo and x-ms-documentdb-populatepartitionstatistics.
func (a *Account) Statistics(ctx context.Context, c *Container) (Statistics, error) {
	r := c.request("", "colls", "")
	r.header["x-ms-documentdb-populatequotainfo"] = "True"
	r.header["x-ms-documentdb-populatepartitionstatistics"] = "True"
	var answer struct{ Statistics []json.RawMessage }
	header, err := a.do(ctx, r, &answer)
	s := Statistics{Documents: -1, Bytes: -1}
	if err != nil {
		return s, err
	}
	usage := header.Get("x-ms-resource-usage")
	s.Documents = usageOf(usage, "documentsCount", 1)
	s.Bytes = usageOf(usage, "documentsSize", 1024)
	for _, raw := range answer.Statistics {
		p, ok := partitionStatistics(raw)
		if !ok {
			s.Partitions = nil // their form is unknown
			break
		}
		s.Partitions = append(s.Partitions, p)
	}
	return s, nil
}

// usageOf returns a number in a header such as "documentsSize=672;documentsCount=731;", times unit,
// or -1.
func usageOf(header, name string, unit int64) int64 {
	for field := range strings.SplitSeq(header, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		if n, err := strconv.ParseInt(value, 10, 64); key == name && err == nil && n >= 0 {
			return n * unit
		}
	}
	return -1
}

// partitionStatistics decodes the statistics of a physical partition.
func partitionStatistics(raw json.RawMessage) (PartitionStatistics, bool) {
	var p struct {
		ID            string `json:"id"`
		SizeInKB      *int64 `json:"sizeInKB"`
		DocumentCount *int64 `json:"documentCount"`
		PartitionKeys []struct {
			PartitionKey json.RawMessage `json:"partitionKey"`
			SizeInKB     int64           `json:"sizeInKB"`
		} `json:"partitionKeys"`
	}
	if err := json.Unmarshal(raw, &p); err != nil || p.ID == "" || p.SizeInKB == nil || p.DocumentCount == nil {
		return PartitionStatistics{}, false
	}
	s := PartitionStatistics{ID: p.ID, Documents: *p.DocumentCount, Bytes: *p.SizeInKB * 1024, Keys: []KeyStatistics{}}
	for _, k := range p.PartitionKeys {
		s.Keys = append(s.Keys, KeyStatistics{string(k.PartitionKey), k.SizeInKB * 1024})
	}
	return s, true
}

package server

import (
	"encoding/json"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// addStatistics adds the requested statistics of the documents to the text of a container, and
// to its headers.
func addStatistics(r *reply, call *call, ranges []store.RangeSurvey) {
	if header.IsTrue(call.Header, "X-Ms-Documentdb-Populatepartitionstatistics") {
		r.body = withStatistics(r.body, ranges)
	}
	if header.IsTrue(call.Header, "X-Ms-Documentdb-Populatequotainfo") {
		r.header["x-ms-resource-usage"] = usage(ranges)
	}
}

// withStatistics adds the property statistics to the text of a container. In the service it
// names logical partitions of 1 GB or more; in the emulator it names none.
func withStatistics(raw []byte, ranges []store.RangeSurvey) []byte {
	type statistics struct {
		ID            string `json:"id"`
		SizeInKB      int    `json:"sizeInKB"`
		DocumentCount int    `json:"documentCount"`
		PartitionKeys []any  `json:"partitionKeys"`
	}
	all := make([]statistics, len(ranges))
	for i, r := range ranges {
		all[i] = statistics{r.ID, kilobytes(r.Bytes), r.Documents, []any{}}
	}
	text, _ := json.Marshal(all) // texts and numbers
	end := len(raw) - len("}")
	return fmt.Appendf(nil, `%s,"statistics":%s}`, raw[:end], text)
}

// usage describes the content of a container, sizes in KB. There is no index.
func usage(ranges []store.RangeSurvey) string {
	documents, size := 0, 0
	for _, r := range ranges {
		documents += r.Documents
		size += r.Bytes
	}
	kb := kilobytes(size)
	return fmt.Sprintf("documentSize=0;documentsSize=%d;documentsCount=%d;collectionSize=%d;", kb, documents, kb)
}

// kilobytes returns a number of bytes in kilobytes, rounded up.
func kilobytes(n int) int { return (n + 1023) / 1024 }

package wire

import (
	"fmt"
	"net/url"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/table/internal/odata"
)

// maxFilter is the maximum number of bytes of a filter in a URL. By default, servers accept 16
// KiB for the request line and the headers together: HTTP.sys by MaxRequestBytes ("Http.sys
// registry settings for Windows"), and Node.js, on which Azurite runs, by
// max-http-header-size. For a longer request they return a status without a reason, or close
// the connection. 4 KiB are for the rest: the name of the table, the continuation of a page,
// the signature.
const maxFilter = 12 << 10

// fits returns an error if the filter of a logical partition is longer than servers accept.
// The error says how many values of the longest In fit.
func (t *Table) fits(q query, where []condition.Node) error {
	size := escaped(q.Text)
	for _, key := range q.keys {
		if text := q.Partition(key); 3*len(text) > maxFilter { // escaping a byte takes at most three
			size = max(size, escaped(text))
		}
	}
	if size <= maxFilter {
		return nil
	}
	says := fmt.Sprintf("its conditions make a filter of %d bytes, and servers accept at most %d in a URL", size, maxFilter)
	in := longest(where)
	if in == nil {
		return failure.Says(says + ": compare with shorter texts, or check some of the conditions on the results of the query")
	}
	alone, err := odata.New(t.Codec.Column, []condition.Node{in})
	if err != nil {
		return failure.Trusted(err)
	}
	of := escaped(alone.Text)
	fit := max(0, maxFilter-(size-of)) * len(in.Values) / of
	if fit == 0 {
		return failure.Says(fmt.Sprintf("%s, too few for any of the %d values of field %q: use several queries with fewer conditions", says, len(in.Values), in.Property))
	}
	return failure.Says(fmt.Sprintf("%s: of the %d values of field %q about %d fit: use several queries of so many values, or Between, and check its results",
		says, len(in.Values), in.Property, fit))
}

// longest returns the comparison by In that has the most values, or nil.
func longest(nodes []condition.Node) (most *condition.Comparison) {
	for _, n := range nodes {
		var c *condition.Comparison
		switch n := n.(type) {
		case *condition.Comparison:
			if n.Op == condition.In && len(n.Values) > 1 {
				c = n
			}
		case condition.All:
			c = longest(n)
		case condition.Any:
			c = longest(n)
		}
		if c != nil && (most == nil || len(c.Values) > len(most.Values)) {
			most = c
		}
	}
	return most
}

// escaped returns the number of bytes of a text in the query of a URL.
func escaped(text string) int { return len(url.QueryEscape(text)) }

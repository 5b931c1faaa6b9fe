package wire

import "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

// Content is the document that the answer to a write has, where the request asks
// for it (Prefer: return=representation). With a nil Content the
// request does not ask, and the answer has no body.
type Content struct{ body []byte }

// Options returns o, which may be nil, as the options of a request that asks for c.
func (c *Content) Options(o *azcosmos.ItemOptions) *azcosmos.ItemOptions {
	if c == nil {
		return o
	}
	if o == nil {
		o = &azcosmos.ItemOptions{}
	}
	o.EnableContentResponseOnWrite = true
	return o
}

// Keep notes what the answer to a write has, and returns it.
func (c *Content) Keep(response azcosmos.ItemResponse, err error) (azcosmos.ItemResponse, error) {
	if c != nil && err == nil {
		c.body = response.Value
	}
	return response, err
}

// Document returns what the answer has, empty if it has none.
func (c *Content) Document() []byte { return c.body }

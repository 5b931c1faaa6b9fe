package server

// incoming is a document that a client sent, or the result of a patch. It has been
// checked.
type incoming struct {
	id         string
	key        *key
	ttl        int64 // seconds, -1 for never, 0 for the default of the container
	properties []property
}

// incomingDocument reads a document that is to be stored under a key.
func (c *container) incomingDocument(body []byte, k *key) (*incoming, error) {
	list, err := parseObject(body)
	if err != nil {
		return nil, err
	}
	return c.checkDocument(list, k)
}

// checkDocument applies the rules for a document that is to be stored under a key.
func (c *container) checkDocument(list []property, k *key) (*incoming, error) {
	properties := propertyMap(list)
	id, err := documentID(properties, c.limits.lenient)
	if err != nil {
		return nil, err
	}
	inBody, err := c.extractKey(properties)
	if err != nil {
		return nil, err
	}
	if inBody.text != k.text {
		return nil, keyMismatch()
	}
	ttl, err := parseTTL(properties["ttl"])
	if err != nil {
		return nil, err
	}
	return &incoming{id: id, key: k, ttl: ttl, properties: list}, nil
}

// changesID refuses a document whose id is not the id of the request.
func changesID(in *incoming, id string) error {
	if in.id == id {
		return nil
	}
	return badRequest("The id of the document, %q, is not the id of the request, %q: an id cannot be changed.", in.id, id)
}

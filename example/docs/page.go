package docs

// A Page has a text, and the vector that a model has made of it.
type Page struct {
	_         struct{}  `cosmos:"container=pages"`
	ID        string    `json:"id"`
	Site      string    `json:"site" cosmos:"pk"`
	Body      string    `json:"body" cosmos:"text=en-US"`
	Embedding []float32 `json:"embedding" cosmos:"vector=1536,cosine,index=diskANN"`
}

// Package pages declares documents with properties that are not indexed; the repository is
// generated.
package pages

// Page has a vector and an ETag.
type Page struct { // want Page:"key of ID, Site"
	ID        string    `json:"id"`
	Site      string    `json:"site" cosmos:"pk"`
	Title     string    `json:"title"`
	Tags      []string  `json:"tags" cosmos:"elements"`
	Links     []Page    `json:"links" cosmos:"elements"`
	Embedding []float32 `json:"embedding" cosmos:"vector=3,cosine,index=flat"`
	ETag      string    `json:"_etag,omitempty"`
}

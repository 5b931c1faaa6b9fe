package document

// A Numbered is a document with a number.
type Numbered struct {
	ID string `json:"id"`
	PK string `json:"pk" cosmos:"pk"`
	N  int    `json:"n"`
}

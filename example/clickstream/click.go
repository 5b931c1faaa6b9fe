package clickstream

// A Click is one click on a page. Its partition key is the date and a number
// from 1 to 400 that Create chooses and Stored remembers.
type Click struct {
	ID     string `json:"id"`
	Date   string `json:"date" cosmos:"pk,randomsuffix,buckets=400"`
	Stored string `json:"partitionKey" cosmos:"synthetic"`
	Page   string `json:"page"`
}

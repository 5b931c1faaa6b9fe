package wire

// Where a stored document has its id, its ETag, and its RID, which no two documents
// share.
var (
	IDPath   = []string{"id"}
	ETagPath = []string{"_etag"}
	RIDPath  = []string{"_rid"}
)

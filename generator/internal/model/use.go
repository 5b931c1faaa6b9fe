package model

// use is the use of a field in the key.
type use int

const (
	natural use = iota // the key is the plain property
	part               // its text is part of the key
	hashed             // the hash of its text is part of the key
	rows               // its text is part of the row key of a table
	placing            // its text is part of the id of its document's container
)

// String names the use in a message, to follow "cannot be".
func (u use) String() string {
	return [...]string{"a partition key", "part of a synthetic key", "hashed into a suffix", "part of a row key", "part of the id of a container"}[u]
}

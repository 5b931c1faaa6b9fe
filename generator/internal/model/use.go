package model

// use is the use of a field in the key.
type use int

const (
	natural use = iota // the key is the plain property
	part               // its text is part of the key
	hashed             // the hash of its text is part of the key
	placing            // its text is part of the id of its document's container
)

// String names the use in a message, to follow "cannot be".
func (u use) String() string {
	return [...]string{"a partition key", "part of a synthetic key", "hashed into a suffix", "part of the id of a container"}[u]
}

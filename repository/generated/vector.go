package generated

// Vector is a property with a vector: an array of numbers of a fixed length.
type Vector struct {
	Property   string // its JSON pointer, such as "/embedding"
	Dimensions int    // how many numbers there are
	Float16    bool   // the container keeps them in 16 bits
}

// Package placing knows which containers a type with several has: the names that its
// container template makes, the periods of windows, and the containers of a database.
// It knows no documents.
package placing

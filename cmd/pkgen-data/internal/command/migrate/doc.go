// Package migrate is pkgen-data migrate: a copy of a container under another layout.
package migrate

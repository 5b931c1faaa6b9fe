// Package migrate is pkgen-data migrate: it copies a container to another layout.
package migrate

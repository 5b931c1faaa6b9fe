// Package tags is pkgen tags: it prints the words of the cosmos tag.
package tags

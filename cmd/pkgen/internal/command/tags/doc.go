// Package tags is pkgen tags: the words of the cosmos tag.
package tags

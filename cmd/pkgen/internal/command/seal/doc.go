// Package seal is pkgen seal, which binds drafts.
package seal

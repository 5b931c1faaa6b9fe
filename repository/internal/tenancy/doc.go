// Package tenancy is where tenants live: the shared container of a type, or one of their
// own. It has the documents of the directory, of a fence and of tombstones, a cache of
// the directory, and the rule by which requests of a tenant are sent while it may move.
package tenancy

package store

import "net/url"

// identity holds the names of a database or a container, in each form of requests and answers.
// They are made once, since every request needs some of them.
type identity struct {
	id      string
	rid     []byte // the resource id
	ridText string
	link    string // the path by resource ids, which ends with a slash
	address string // the path by ids, with escapes
}

// newIdentity returns the identity of a resource in a feed such as "colls" of its owner,
// which is zero for a database.
func newIdentity(owner identity, feed, id string, rid []byte) identity {
	text := ridText(rid)
	address := feed + "/" + url.PathEscape(id)
	if owner.address != "" {
		address = owner.address + "/" + address
	}
	return identity{id: id, rid: rid, ridText: text, link: owner.link + feed + "/" + text + "/", address: address}
}

// RID is the resource id of a database or a container.
func (i *identity) RID() string { return i.ridText }

// self is the property _self of a database or a container.
func (i *identity) self() string { return i.link }

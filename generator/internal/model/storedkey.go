package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// noteUnremembered notes that no field holds the stored key, if one could. A program that changes a
// field of the key and stores the document again then creates a second document.
func (k *key) noteUnremembered(stored *pk.Field) {
	made := k.made()
	if stored != nil || k.plain || len(made) != 1 {
		return
	}
	path := made[0].Path
	field := fmt.Sprintf("Stored string `json:%q cosmos:\"synthetic\"`", path[1:])
	if names := strings.Split(path[1:], "/"); len(names) > 1 {
		field = "a string field with the property " + strings.Join(names, ".") + " and the tag `cosmos:\"synthetic\"`"
	}
	errors := "documents"
	if k.API() == "" {
		errors = "repository"
	}
	k.Note(annotations.NoteSynthetic, k.KeyPosition(), fmt.Sprintf(
		"no field of type %s stores the key of the document: after a field of the key has changed, Upsert stores a second document, and Replace finds none; with %s both return %s.ErrKeyChanged", k.Name(), field, errors))
}

// made returns the levels that the run time writes.
func (k *key) made() []pk.Level {
	return slices.DeleteFunc(slices.Clone(k.Levels), func(l pk.Level) bool { return !l.Made })
}

// stored returns the field that holds the stored synthetic key, or nil.
func (k *key) stored() *pk.Field {
	t := k.Role("synthetic", func(t *facts.Tagged) bool { return t.Synthetic })
	random, made := slices.ContainsFunc(k.Levels, pk.Level.Random), len(k.made())
	switch {
	case random && k.leveled && made > 1:
		k.Errorf(k.RandomPosition(), "a random suffix cannot be recomputed, so a \"synthetic\" field must store it; the field holds one text, and %d levels are texts that the run time makes: remove the options of the other levels", made)
	case t == nil && random:
		k.Errorf(k.RandomPosition(), "a random suffix cannot be recomputed, so the document must store its key: add a string field tagged `json:%q cosmos:\"synthetic\"`", strings.TrimPrefix(cmp.Or(k.Options.Path, defaultPath), "/"))
	case t != nil && k.plain:
		k.Errorf(t.Word("synthetic"), "the key of %s is a property of the document, so there is no synthetic key to store: remove the tag", k.Name())
	case t != nil && k.leveled && made > 1:
		k.Errorf(t.Word("synthetic"), "field %s can hold one text, and %d levels are texts that the run time makes: remove the tag", t.Ref.Selector, made)
	case t != nil:
		stored := k.stringField(t.Ref, "the synthetic key", t.Word("synthetic"))
		if slices.ContainsFunc(append(k.Components(), pk.Level{Parts: k.containers}.Components()...), func(c *pk.Component) bool { return c.Selector == t.Ref.Selector }) {
			k.Errorf(t.Word("synthetic"), "field %s holds the synthetic key, which cannot be made of itself: name another field in the key", t.Ref.Selector)
		}
		return stored
	}
	return nil
}

package annotations

import (
	"strconv"
	"strings"
)

// other returns the place that this one is not.
func (p Place) other() Place {
	if p == OnField {
		return OnType
	}
	return OnField
}

// find returns the row of a word that is allowed at the place, or nil.
func find(place Place, name string) *row {
	for i := range table {
		if table[i].Name == name && table[i].Place == place {
			return &table[i]
		}
	}
	return nil
}

// names returns the words of the place in the order of the table.
func names(place Place) []string {
	var out []string
	for _, r := range table {
		if r.Place == place {
			out = append(out, r.Name)
		}
	}
	return out
}

// example returns a tag for the place.
func example(place Place) string {
	if place == OnField {
		return "pk"
	}
	return find(OnType, "container").Example
}

// belongs says where a word is allowed, as a text that follows its name.
func belongs(r *row) string {
	if r.Place == OnField {
		return "belongs on a field of the document: the blank field holds the options of the type"
	}
	return "belongs on the blank field: _ struct{} `cosmos:\"" + r.Example + "\"`"
}

// legal lists the words of the place.
func legal(place Place) string {
	list := strings.Join(names(place), ", ")
	if place == OnField {
		return "a field may have " + list
	}
	return "the blank field may have " + list
}

// quote puts each word in quotes and joins them.
func quote(words []string, sep string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, sep)
}

package store

// registry holds named resources in the order of their creation. The service lists
// them in that order too. The zero value is empty. It is not safe for concurrent use.
type registry[T any] struct {
	byID map[string]T
	ids  []string
}

func (r *registry[T]) get(id string) (T, bool) {
	v, ok := r.byID[id]
	return v, ok
}

func (r *registry[T]) add(id string, v T) {
	if r.byID == nil {
		r.byID = map[string]T{}
	}
	r.byID[id] = v
	r.ids = append(r.ids, id)
}

func (r *registry[T]) remove(id string) {
	delete(r.byID, id)
	for i, other := range r.ids {
		if other == id {
			r.ids = append(r.ids[:i:i], r.ids[i+1:]...)
			return
		}
	}
}

// all returns the resources in the order of their creation.
func (r *registry[T]) all() []T {
	list := make([]T, len(r.ids))
	for i, id := range r.ids {
		list[i] = r.byID[id]
	}
	return list
}

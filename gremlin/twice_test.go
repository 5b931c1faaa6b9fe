package gremlin

import "testing"

// TestRepeatedRequests has a service that gets the request of a creation twice. A websocket
// gives answers in their order, so the client gets the first one, and no second answer is
// taken for that to a later request.
func TestRepeatedRequests(t *testing.T) {
	second := status(409, "")
	first := ok(`[1]`)
	first.twice = &second
	_, c := serve(t, first, ok(`[`+thing+`]`), ok(`[`+thing+`]`))
	docs := New(c, "Thing", &thingModel)
	if err := docs.Create(soon(t), &Thing{ID: "1", Key: "k", Speed: 1.5}); err != nil {
		t.Error(err)
	}
	if got, err := docs.Get(soon(t), thingKey{"k", "1"}); err != nil || got.Speed != 1.5 {
		t.Errorf("%+v, %v", got, err)
	}
}

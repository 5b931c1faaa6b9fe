package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// client sends the requests of one tenant.
type client struct {
	address, tenant string

	mu       sync.Mutex
	requests int
	repeated int
	slowest  time.Duration
}

// send sends a request, again after 503, and returns the answer's body. An answer that
// the service should not have given is an error.
func (c *client) send(ctx context.Context, method, path string, body any, wants ...int) ([]byte, error) {
	began := time.Now()
	for {
		status, answer, err := c.once(ctx, method, path, body)
		if err != nil {
			return nil, err
		}
		if slices.Contains(wants, status) {
			c.note(func() { c.requests++; c.slowest = max(c.slowest, time.Since(began)) })
			return answer, nil
		}
		if status != http.StatusServiceUnavailable {
			return nil, fmt.Errorf("%s %s of %s: status %d, %s", method, path, c.tenant, status, answer)
		}
		c.note(func() { c.repeated++ })
	}
}

func (c *client) note(add func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	add()
}

// once sends a request.
func (c *client) once(ctx context.Context, method, path string, body any) (status int, answer []byte, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.address+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set(tenantHeader, c.tenant)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close() //nolint:errcheck // it is read to its end
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// put stores an order.
func (c *client) put(ctx context.Context, id string, total int) error {
	_, err := c.send(ctx, http.MethodPut, "/orders/"+id, Order{Article: "bicycle", Total: total}, http.StatusOK)
	return err
}

// total returns the total of an order, or 0 if it is not there.
func (c *client) total(ctx context.Context, id string) (int, error) {
	answer, err := c.send(ctx, http.MethodGet, "/orders/"+id, nil, http.StatusOK, http.StatusNotFound)
	if err != nil || !json.Valid(answer) { // not found is no JSON
		return 0, err
	}
	var order Order
	err = json.Unmarshal(answer, &order)
	return order.Total, err
}

// count returns how many orders the tenant has.
func (c *client) count(ctx context.Context) (int, error) {
	answer, err := c.send(ctx, http.MethodGet, "/orders", nil, http.StatusOK)
	if err != nil {
		return 0, err
	}
	var list struct {
		Orders int `json:"orders"`
	}
	err = json.Unmarshal(answer, &list)
	return list.Orders, err
}

// remove removes an order. One that is not there has been removed, perhaps by a request
// that was repeated.
func (c *client) remove(ctx context.Context, id string) error {
	_, err := c.send(ctx, http.MethodDelete, "/orders/"+id, nil, http.StatusOK, http.StatusNotFound)
	return err
}

// write stores, changes and removes orders of its own until done is closed. It returns
// the totals that the service has acknowledged, 0 of those that were removed.
func (c *client) write(ctx context.Context, name string, done <-chan struct{}) (map[string]int, error) {
	totals := map[string]int{}
	for n := 1; ; n++ {
		select {
		case <-done:
			return totals, nil
		case <-time.After(5 * time.Millisecond):
		}
		id, total := fmt.Sprintf("%s-%d", name, n%20), n
		var err error
		if n%7 == 0 {
			total, err = 0, c.remove(ctx, id)
		} else {
			err = c.put(ctx, id, total)
		}
		if err != nil {
			return totals, err
		}
		totals[id] = total
	}
}

// read reads orders that nobody changes, and counts all of them, until done is closed.
func (c *client) read(ctx context.Context, orders int, done <-chan struct{}) error {
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		case <-time.After(5 * time.Millisecond):
		}
		if err := c.has(ctx, orderID(n%orders), orderTotal(n%orders)); err != nil {
			return err
		}
		if n%10 > 0 {
			continue
		}
		count, err := c.count(ctx)
		if err != nil {
			return err
		}
		if count < orders {
			return fmt.Errorf("%s has %d orders, and should have %d at least", c.tenant, count, orders)
		}
	}
}

// has returns an error unless an order has a total, 0 for one that is not there.
func (c *client) has(ctx context.Context, id string, want int) error {
	got, err := c.total(ctx, id)
	if err == nil && got != want {
		err = fmt.Errorf("order %s of %s has the total %d, and should have %d", id, c.tenant, got, want)
	}
	return err
}

func orderID(n int) string { return fmt.Sprintf("order-%04d", n) }
func orderTotal(n int) int { return 1000 + n }

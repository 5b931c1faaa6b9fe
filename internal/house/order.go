package main

import (
	"cmp"
	"maps"
	"slices"
)

// fewestUp puts the nodes of a graph into an order, callers first, and returns
// how many arrows run against it. To find the order with the fewest is hard; this
// one is made by the heuristic of Eades, Lin and Smyth (A fast and effective
// heuristic for the feedback arc set problem, 1993), which is the same on every
// run: a node that nothing refers to goes to the front, one that refers to
// nothing goes to the end, else the one with the most arrows out over arrows in
// goes to the front.
func fewestUp(arrows map[string]map[string]bool) int {
	out, in := make(map[string]int), make(map[string]int)
	left := make(map[string]bool)
	for from, to := range arrows {
		left[from] = true
		for t := range to {
			out[from]++
			in[t]++
		}
	}
	var front, back []string
	take := func(node string) {
		delete(left, node)
		for to := range arrows[node] {
			in[to]--
		}
		for from := range left {
			if arrows[from][node] {
				out[from]--
			}
		}
	}
	for len(left) > 0 {
		nodes := slices.Sorted(maps.Keys(left))
		if i := slices.IndexFunc(nodes, func(n string) bool { return out[n] == 0 }); i >= 0 {
			take(nodes[i])
			back = append(back, nodes[i])
			continue
		}
		first := slices.MaxFunc(nodes, func(a, b string) int { return cmp.Compare(out[a]-in[a], out[b]-in[b]) })
		if i := slices.IndexFunc(nodes, func(n string) bool { return in[n] == 0 }); i >= 0 {
			first = nodes[i]
		}
		take(first)
		front = append(front, first)
	}
	slices.Reverse(back)
	place := make(map[string]int)
	for i, node := range append(front, back...) {
		place[node] = i
	}
	up := 0
	for from, to := range arrows {
		for t := range to {
			if place[t] < place[from] {
				up++
			}
		}
	}
	return up
}

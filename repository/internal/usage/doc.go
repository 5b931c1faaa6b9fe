// Package usage sums request units by tenant in bounded memory.
package usage

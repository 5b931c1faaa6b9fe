// Package advice has what makes queries dear: the rules of the service's query advisor, and
// the conditions that no index serves.
package advice

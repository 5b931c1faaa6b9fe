// Package advice has the causes of expensive queries: the rules of the service's query advisor, and
// the conditions that no index serves.
package advice

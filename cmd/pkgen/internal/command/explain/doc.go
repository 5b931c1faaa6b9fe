// Package explain is pkgen explain: how keys are made, and what methods cost.
package explain

// Package explain is pkgen explain: it describes how keys are made, and the cost of methods.
package explain

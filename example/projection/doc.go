// Projection keeps a daily sum for each vehicle up to date from the change feed of
// its journeys. Three worker processes share the work. The program stores journeys and
// corrects some of them, kills workers meanwhile, and compares the sums at the end.
//
// It runs on an emulator of its own. The files are those of a service:
//
//   - journey.go and daily_sum.go: the documents, and why the sums are right
//   - worker.go: the processor and its handler
//   - main.go: what happens to the workers here
package main

//go:generate go run ../../cmd/pkgen

// Package windows manages the containers of a type whose documents are divided by time,
// with one window for each period: it creates them, changes their throughput by age, lists
// them with their sizes, and drops old ones.
//
// A window is identified by its name, which a container template makes from the start of
// its period. Package provision creates and changes each container.
package windows

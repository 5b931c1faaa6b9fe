// Package windows keeps the containers of a type whose documents are divided by time, a
// window for each period: it creates them, gives them throughput by age, lists them with
// their sizes, and drops old ones.
//
// A window is known by its name alone: what a container template makes of the start of a
// period. Package provision makes and changes each container.
package windows

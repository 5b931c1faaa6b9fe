// Package containers compares the settings of a container with the wanted ones.
//
// The settings have the service's JSON form. The package knows neither the SDK nor requests: the
// run time compares at the start of a program, and pkgen-data doctor compares on demand.
package containers

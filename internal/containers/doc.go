// Package containers compares the settings of a container with those that are wanted.
//
// It has the settings as the service writes them, in JSON, and knows neither the SDK nor
// requests: the run time compares by it at the start of a program, and the command when
// somebody asks what is wrong with an account.
package containers

// Package kit has what the tests of several features share: repositories of fixtures in accounts
// of their own, models that say what a repository should answer, and faults.
package kit

// Package simulate is pkgen-data simulate: a load against several layouts.
package simulate

// Package simulate is pkgen-data simulate: it runs a load against several layouts.
package simulate

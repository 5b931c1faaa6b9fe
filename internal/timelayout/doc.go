// Package timelayout parses the layouts of package time in which keys write times: their elements,
// and the periods that their texts distinguish.
package timelayout

// Package timelayout reads the layouts of package time, by which keys write times:
// their elements, and the periods that their texts tell apart.
package timelayout

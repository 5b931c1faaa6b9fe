// Package forget is pkgen forget, which drops the layouts of types that are gone.
package forget

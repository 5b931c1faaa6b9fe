package kit

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// ListEvery has Changes list the containers of a type with several more often.
func ListEvery(pause time.Duration) feed.Option {
	return func(o *processor.Options) { o.ListEvery = pause }
}

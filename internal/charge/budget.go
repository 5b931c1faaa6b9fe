package charge

import (
	"sync"
	"time"
)

// Budget counts the request units that a physical partition has spent in the current second. The
// zero value is unspent. It is safe for concurrent use.
//
// As in the service, a request is admitted if any units are left, whatever it will cost. If it
// costs more, the following seconds pay for the rest. Burst capacity, which partitions under 3,000
// RU/s save up, is not modelled, because the service does not guarantee it.
type Budget struct {
	mu     sync.Mutex
	second int64
	spent  float64
}

// Admit returns how long a request must wait at a rate in RU/s; 0 admits it. A rate of 0 is no
// limit.
func (b *Budget) Admit(now time.Time, rate float64) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	passed := now.Unix() - b.second
	if passed > 0 {
		// The conversion prevents fusing the product with the subtraction, which rounds differently
		// on some machines.
		b.spent = max(0, b.spent-float64(rate*float64(passed)))
		b.second = now.Unix()
	}
	if rate <= 0 || b.spent < rate {
		return 0
	}
	// The debt is paid in whole seconds, including the current one.
	seconds := int64(b.spent / rate)
	return time.Unix(b.second+seconds, 0).Sub(now)
}

// Spend subtracts the charge of a request.
func (b *Budget) Spend(charge float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += charge
}

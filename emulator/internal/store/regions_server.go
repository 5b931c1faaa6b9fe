package store

// Staleness returns how far a region may fall back; nil unless the consistency level is
// BoundedStaleness.
func (a *Account) Staleness() *Staleness { return a.world.bound }

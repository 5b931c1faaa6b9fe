package store

// Rate is the share of each physical partition in the provisioned throughput, in
// RU/s; 0 means no limit. Containers that share the throughput of their database can
// each use all of it, since the service does not guarantee a part to any of them.
func (c *Container) Rate() float64 {
	o := c.offer
	if o == nil {
		o = c.database.offer
	}
	if !c.throttles.Load() || o == nil {
		return 0
	}
	return float64(o.throughput.Load()) / float64(len(c.Ranges))
}

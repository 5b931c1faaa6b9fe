package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// check sets the defaults of a scenario, and returns an error if it is invalid.
func (s *Scenario) check() error {
	s.setDefaults()
	if err := s.checkContainer(); err != nil {
		return err
	}
	if len(s.Layouts) == 0 {
		return errors.New(`layouts: missing: write some, such as "{date}.{vin%400}"`)
	}
	for i, l := range s.Layouts {
		if slices.Contains(s.Layouts[:i], l) {
			return fmt.Errorf("layouts[%d]: %q is listed twice: remove one", i, l)
		}
	}
	if len(s.Operations) == 0 {
		return errors.New("operations: missing: write what clients do")
	}
	if err := checkProperties("properties", s.Properties); err != nil {
		return err
	}
	if err := s.checkIndexes(); err != nil {
		return err
	}
	names := make(map[string]bool)
	for i := range s.Operations {
		o := &s.Operations[i]
		if err := s.checkOperation(o); err != nil {
			return fmt.Errorf("operations[%d].%w", i, err)
		}
		if names[o.Name] {
			return fmt.Errorf("operations[%d].name: another operation is called %q: choose another name", i, o.Name)
		}
		names[o.Name] = true
	}
	return s.checkSize()
}

// setDefaults sets omitted values.
func (s *Scenario) setDefaults() {
	if s.Start == "" {
		s.Start = defaultStart
	}
	if s.Latency == nil {
		s.Latency = pointer(defaultLatency)
	}
	if s.DocumentBytes == 0 {
		s.DocumentBytes = defaultBytes
	}
	if s.Arrivals == "" {
		s.Arrivals = arrivalsRandom
	}
	if s.Retries == nil {
		s.Retries = new(Retries)
	}
	if s.Retries.Most == nil {
		s.Retries.Most = pointer(defaultMost)
	}
	if s.Retries.Longest == nil {
		s.Retries.Longest = pointer(float64(defaultLongest))
	}
	for i := range s.Indexes {
		if x := &s.Indexes[i]; x.Partitions == 0 {
			x.Partitions = 1
		}
	}
	for i := range s.Operations {
		if o := &s.Operations[i]; o.Name == "" {
			o.Name = o.Method
		}
	}
}

// checkContainer checks the container and the clients.
func (s *Scenario) checkContainer() error {
	share := s.Throughput / float64(max(s.Partitions, 1))
	_, err := time.Parse(time.RFC3339, s.Start)
	switch {
	case s.Seconds < 1 || s.Seconds > mostSeconds:
		return fmt.Errorf("seconds: %d is not between 1 and %d", s.Seconds, mostSeconds)
	case s.Partitions < 1 || s.Partitions > mostPartitions:
		return fmt.Errorf("partitions: %d is not between 1 and %d", s.Partitions, mostPartitions)
	case s.Throughput < 1:
		return errors.New("throughput: it is the RU/s of the container, 1 or more")
	case share > mostPerSecond:
		return fmt.Errorf("throughput: %v RU/s on %d physical partitions are %v for each, and the limit is %d: write %d partitions or more",
			s.Throughput, s.Partitions, share, mostPerSecond, int(math.Ceil(s.Throughput/mostPerSecond)))
	case err != nil:
		return fmt.Errorf("start: write a time in RFC 3339, such as %s", defaultStart)
	case *s.Latency < 0 || *s.Latency > 60_000:
		return errors.New("latency: it is in milliseconds, from 0 to 60000")
	case s.DocumentBytes < 1 || s.DocumentBytes > 2<<20:
		return errors.New("documentBytes: a document has from 1 byte to 2 MB")
	case s.Arrivals != arrivalsRandom && s.Arrivals != arrivalsRegular:
		return unknown("arrivals", s.Arrivals, []string{arrivalsRandom, arrivalsRegular})
	case s.Clients < 0 || s.Clients > 100_000:
		return errors.New("clients: it is a number from 1 to 100000; leave it out for arrivals by rate")
	case s.Clients > 0 && *s.Latency < 0.1:
		return errors.New("latency: clients that wait for answers need 0.1 ms or more")
	case *s.Retries.Most < 0 || *s.Retries.Most > 1000:
		return errors.New("retries.most: it is a number from 0 to 1000")
	case *s.Retries.Longest < 0 || s.Retries.Total < 0:
		return errors.New("retries: longest and total are seconds, and not negative")
	}
	return nil
}

// checkOperation checks one operation. The error begins with one of its properties.
func (s *Scenario) checkOperation(o *Operation) error {
	all := make(map[string]Property)
	maps.Copy(all, s.Properties)
	maps.Copy(all, o.Properties)
	if err := checkProperties("properties", o.Properties); err != nil {
		return err
	}
	switch {
	case !slices.Contains(methods, o.Method):
		return unknown("method", o.Method, methods)
	case o.Rate <= 0 || o.Rate > 1e9:
		return errors.New("rate: it must be above 0: operations per second or, with clients, a weight")
	case o.Charge < 0 || o.Charge > mostCharge:
		return fmt.Errorf("charge: it is in RU, from 0 to %d", mostCharge)
	case o.Results < 0 || int64(o.Results) > mostResultBytes/int64(s.DocumentBytes):
		return fmt.Errorf("results: a query returns from 0 to %d documents of %d bytes", mostResultBytes/s.DocumentBytes, s.DocumentBytes)
	case o.Method != methodQuery && (len(o.By) > 0 || o.Results > 0):
		return fmt.Errorf("by: %q has neither by nor results, which are for a query: remove them", o.Method)
	}
	for _, name := range o.By {
		if _, ok := all[name]; !ok && name != idProperty {
			return unknown("by", name, sortedNames(all))
		}
	}
	return nil
}

// checkProperties checks the properties of documents.
func checkProperties(at string, properties map[string]Property) error {
	for _, name := range sortedNames(properties) {
		if slices.Contains(strings.Split(name, "."), "") {
			return fmt.Errorf("%s: the name %q lacks a part: write a name such as vin, or driver.name for a property within another", at, name)
		}
		if err := properties[name].check(); err != nil {
			return fmt.Errorf("%s.%s: %w", at, name, err)
		}
	}
	return nil
}

// check checks a property.
func (p Property) check() error {
	ways := 0
	for _, given := range []bool{p.Constant != nil, p.Uniform != 0, p.Zipf != 0, p.Time != "", p.Sample != ""} {
		if given {
			ways++
		}
	}
	counted := p.Uniform != 0 || p.Zipf != 0
	switch {
	case ways != 1:
		return errors.New("give one of constant, uniform, zipf, time and sample")
	case strings.ContainsFunc(p.Time, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }):
		return errors.New("time: write a layout of package time, such as 2006-01-02")
	case p.Constant != nil && !json.Valid(p.Constant):
		return errors.New("constant: write a JSON value")
	case p.Uniform < 0 || p.Zipf < 0 || max(p.Uniform, p.Zipf) > mostValues:
		return fmt.Errorf("a property has from 1 to %d values", mostValues)
	case p.Exponent != nil && (p.Zipf == 0 || *p.Exponent < 0 || *p.Exponent > 10):
		return errors.New("exponent: it is for zipf, and from 0 to 10")
	case !counted && (p.Prefix != "" || p.Number):
		return errors.New("prefix and number are for uniform and zipf: remove them")
	case p.Prefix != "" && p.Number:
		return errors.New("a number has no prefix: remove one of prefix and number")
	case p.Sample == "" && p.Property != "":
		return errors.New("property is for a sample: remove it")
	}
	return nil
}

// checkSize refuses a scenario with too many operations or figures.
func (s *Scenario) checkSize() error {
	if figures := int64(s.Seconds) * int64(s.Partitions+len(s.Indexes)) * int64(len(s.Layouts)); figures > mostFigures {
		places := "physical partitions"
		if len(s.Indexes) > 0 {
			places += " and indexes"
		}
		return fmt.Errorf("seconds: %d on %d %s under %d layouts make %d figures, and the limit is %d: reduce one of them",
			s.Seconds, s.Partitions+len(s.Indexes), places, len(s.Layouts), figures, mostFigures)
	}
	perSecond := 0.0
	for _, o := range s.Operations {
		perSecond += o.Rate
	}
	if s.Clients > 0 {
		perSecond = float64(s.Clients) * 1000 / *s.Latency
		if *s.Retries.Most > 0 {
			units := s.Throughput
			for _, x := range s.Indexes {
				units += x.Throughput
			}
			perSecond = min(perSecond, units+float64(s.Clients)) // no operation costs less than 1 RU
		}
	}
	if total := perSecond * float64(s.Seconds); total > mostOperations {
		return fmt.Errorf("seconds: about %.0f operations exceed the limit of %d: write fewer seconds, or lower rates and throughput", total, mostOperations)
	}
	return nil
}

// pointer returns a pointer to a value.
func pointer[T any](v T) *T { return &v }

package query

import "math"

// exactSum is a sum of float64 numbers that loses nothing, so that it does not depend on
// their sequence: numbers that do not overlap, the least first, whose sum it is (Shewchuk,
// "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
// 1997).
type exactSum struct{ parts []float64 }

func (s *exactSum) add(x float64) {
	kept := 0
	for _, y := range s.parts {
		if math.Abs(x) < math.Abs(y) {
			x, y = y, x
		}
		high := x + y
		if low := y - (high - x); low != 0 {
			s.parts[kept] = low // which was read
			kept++
		}
		x = high
	}
	s.parts = append(s.parts[:kept], x)
}

func (s *exactSum) addAll(other exactSum) {
	for _, x := range other.parts {
		s.add(x)
	}
}

// value returns the float64 that is closest to the sum.
func (s *exactSum) value() float64 {
	n := len(s.parts)
	if n == 0 {
		return 0
	}
	sum, low := s.parts[n-1], 0.0
	for n--; n > 0; n-- {
		x, y := sum, s.parts[n-1]
		sum = x + y
		if low = y - (sum - x); low != 0 {
			n--
			break
		}
	}
	// Halfway between two numbers, what is left decides.
	if n > 0 && (low < 0 && s.parts[n-1] < 0 || low > 0 && s.parts[n-1] > 0) {
		twice := low * 2
		if x := sum + twice; x-sum == twice {
			return x
		}
	}
	return sum
}

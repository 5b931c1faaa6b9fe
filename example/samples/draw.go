package main

import (
	"math/bits"
	"math/rand/v2"
	"sort"
)

// A draw is a sequence of random numbers: integers alone, since floating-point
// arithmetic may differ by machine, and made from the bits of the PCG, whose
// sequence is specified, which that of rand.Rand's methods is not.
type draw struct{ pcg *rand.PCG }

func newDraw(seed, sequence uint64) *draw {
	return &draw{pcg: rand.NewPCG(seed, sequence)}
}

// bits returns 64 random bits.
func (d *draw) bits() uint64 { return d.pcg.Uint64() }

// below returns a number from 0 to n-1.
func (d *draw) below(n int) int {
	high, _ := bits.Mul64(d.bits(), uint64(n))
	return int(high)
}

// oneIn reports true once in n times.
func (d *draw) oneIn(n int) bool { return d.below(n) == 0 }

// pick returns one of a list.
func (d *draw) pick(list []string) string { return list[d.below(len(list))] }

// mix returns a number that looks random for each n, and is another one for each n:
// the finaliser of SplitMix64.
func mix(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// shares draws from a list whose members come up with different frequency. Member i
// has the sum of all shares up to and with its own.
type shares []uint64

// zipf returns n shares of which the k-th is in proportion to 1/(k+flat), with k from
// 1 on. With a larger flat the first ones are less ahead.
func zipf(n, flat int) shares {
	s := make(shares, n)
	sum := uint64(0)
	for i := range s {
		sum += 1 << 40 / uint64(i+1+flat)
		s[i] = sum
	}
	return s
}

// led returns the shares after a new first one, which has a percentage of the whole.
func (s shares) led(percent uint64) shares {
	first := s[len(s)-1] * percent / (100 - percent)
	led := shares{first}
	for _, sum := range s {
		led = append(led, first+sum)
	}
	return led
}

// draw returns the index of a member.
func (s shares) draw(d *draw) int {
	at, _ := bits.Mul64(d.bits(), s[len(s)-1])
	return sort.Search(len(s), func(i int) bool { return s[i] > at })
}

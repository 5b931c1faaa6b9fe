package partition

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// TestDistribution holds that families of keys that people use are spread over
// the buckets as chance would spread them: chi-square per degree of freedom is
// 1 for chance, and much more where some buckets get too much.
//
// With few buckets one sample says little (the deviation at 10 buckets is
// 0.47), so samples are taken until they have 2,000 degrees of freedom
// together, which makes it 0.03.
func TestDistribution(t *testing.T) {
	const freedom, perBucket, limit = 2000, 50, 1.3
	sizes := []int{16, 400, 10, 100, 1000}
	sizes = sizes[:seeds.Rows(t, len(sizes), 2)]
	for _, family := range families() {
		for _, buckets := range sizes {
			t.Run(fmt.Sprintf("%s/%d", family.name, buckets), func(t *testing.T) {
				text := family.texts()
				samples := (freedom + buckets - 2) / (buckets - 1)
				var chiSquare float64
				for range samples {
					counts := make([]int, buckets)
					for range perBucket * buckets {
						counts[Hash{}.Text(text()).Bucket(buckets)-1]++
					}
					for _, n := range counts {
						d := float64(n - perBucket)
						chiSquare += d * d / perBucket
					}
				}
				if got := chiSquare / float64(samples*(buckets-1)); got > limit {
					t.Errorf("chi-square per degree of freedom = %.3f, want less than %v", got, limit)
				}
			})
		}
	}
}

// family is a kind of keys. Each call of texts starts it over and returns the
// function that gives one text after the other, none of them twice.
type family struct {
	name  string
	texts func() func() string
}

func families() []family {
	return []family{
		{"VINs at random", func() func() string {
			const alphabet = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"
			rnd := rand.New(rand.NewPCG(1, 1))
			return func() string {
				var vin [17]byte
				for i := range vin {
					vin[i] = alphabet[rnd.IntN(len(alphabet))]
				}
				return string(vin[:])
			}
		}},
		{"VINs of one model", counting(func(n int) string { return fmt.Sprintf("1HGCM82633A%06d", n) })},
		{"decimals", counting(strconv.Itoa)},
		{"decimals of ten digits", counting(func(n int) string { return fmt.Sprintf("%010d", n) })},
		{"UUIDs", func() func() string {
			rnd := rand.New(rand.NewPCG(2, 2))
			return func() string {
				high, low := rnd.Uint64(), rnd.Uint64()
				return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", high>>32, high>>16&0xFFFF, high&0xFFF, low>>50|0x8000, low&(1<<48-1))
			}
		}},
		{"ISO dates", func() func() string {
			day := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
			return func() string {
				day = day.AddDate(0, 0, 1)
				return day.Format(time.DateOnly)
			}
		}},
		{"letters a and b", counting(twoLetters("a", "b"))},
		{"letters a and q", counting(twoLetters("a", "q"))}, // one bucket of 16 without the finaliser
		{"letters upper and lower", counting(twoLetters("N", "n"))},
	}
}

// counting makes the family of the texts of 0, 1, 2 and so on.
func counting(text func(n int) string) func() func() string {
	return func() func() string {
		next := -1
		return func() string {
			next++
			return text(next)
		}
	}
}

// twoLetters writes n in binary with 20 digits, zero and one being letters.
func twoLetters(zero, one string) func(n int) string {
	letters := strings.NewReplacer("0", zero, "1", one)
	return func(n int) string { return letters.Replace(fmt.Sprintf("%020b", n)) }
}

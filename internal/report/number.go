package report

import (
	"math"
	"strconv"
	"strings"
)

// Number formats a number for people: at least three digits, and commas between thousands. NaN and
// infinity are "–".
func Number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	digits := 0
	if size := math.Abs(v); size > 0 && size < 100 {
		digits = min(4, max(0, 2-int(math.Floor(math.Log10(size)))))
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	whole, fraction, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

// short formats a number in few characters, for axes: 12k.
func short(v float64) string {
	for _, unit := range []struct {
		size float64
		sign string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if math.Abs(v) >= unit.size {
			if unit.sign == "k" {
				unit.size = 1e3
			}
			return strconv.FormatFloat(v/unit.size, 'g', 3, 64) + unit.sign
		}
	}
	return Number(v)
}

// withUnit joins a number and its unit: "12 RU/s", "12%".
func withUnit(number, unit string) string {
	if number == "–" {
		return number
	}
	if unit == "" || unit == "%" {
		return number + unit
	}
	return number + " " + unit
}

// marks returns about count round numbers from 0 to at least most.
func marks(most float64, count int) []float64 {
	if !(most > 0) || math.IsInf(most, 0) {
		most = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(most/float64(count))))
	for _, times := range []float64{1, 2, 2.5, 5, 10} {
		if most/(step*times) <= float64(count) {
			step *= times
			break
		}
	}
	all := []float64{0}
	for i := 1; all[len(all)-1] < most*(1-1e-9); i++ {
		all = append(all, float64(i)*step)
	}
	return all
}

// powers returns the powers of ten from at most low to at least high, two or more. It omits powers
// below a hundred-millionth of high.
func powers(low, high float64) []float64 {
	if !(low > 0) || !(high > 0) {
		low, high = 1, 1
	}
	to := math.Ceil(math.Log10(high) - 1e-9)
	from := max(to-8, min(to-1, math.Floor(math.Log10(low)+1e-9)))
	var all []float64
	for e := from; e <= to; e++ {
		all = append(all, math.Pow(10, e))
	}
	return all
}

// finite returns v, or 0 for NaN and infinity: charts compare and add numbers.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// most returns the maximum of all values, at least 0.
func most(series []Series, limits ...Limit) float64 {
	m := 0.0
	for _, s := range series {
		for _, v := range s.Values {
			m = max(m, finite(v))
		}
	}
	for _, l := range limits {
		m = max(m, finite(l.Value))
	}
	return m
}

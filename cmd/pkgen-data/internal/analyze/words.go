package analyze

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// percent formats a share.
func percent(share float64) string {
	if share >= wholePercentage || share == 0 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}

// Size formats a number of bytes in powers of 1000: "1.2 GB".
func Size(bytes int64) string {
	f, unit := float64(bytes), "B"
	for _, larger := range []string{"KB", "MB", "GB", "TB", "PB"} {
		if f < 999.5 {
			break
		}
		f, unit = f/1000, larger
	}
	if f < 10 && unit != "B" {
		return fmt.Sprintf("%.1f %s", f, unit)
	}
	return fmt.Sprintf("%.0f %s", f, unit)
}

// count returns a number with its noun.
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.FormatInt(n, 10) + " " + what + "s"
}

// has returns the verb for a number.
func has(n int64) string {
	if n == 1 {
		return " has"
	}
	return " have"
}

// Article returns an interval with its article: "an hour".
func Article(interval string) string {
	switch interval {
	case "hour":
		return "an hour"
	case "sample":
		return "the sample"
	}
	return "a " + interval
}

// ParseSize parses a number of bytes: "500000", "10GB", "1.5 GB" or "512MiB", in any case.
func ParseSize(text string) (int64, error) {
	number := strings.TrimRightFunc(text, func(r rune) bool { return r == ' ' || unicode.IsLetter(r) })
	unit := strings.TrimSpace(text[len(number):])
	factor := 1.0
	switch strings.ToUpper(unit) {
	case "", "B":
	case "KB", "K":
		factor = 1e3
	case "MB", "M":
		factor = 1e6
	case "GB", "G":
		factor = 1e9
	case "TB", "T":
		factor = 1e12
	case "KIB":
		factor = 1 << 10
	case "MIB":
		factor = 1 << 20
	case "GIB":
		factor = 1 << 30
	default:
		return 0, fmt.Errorf("%q has no unit of size: write it as 500MB, 10GB or 10GiB", text)
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !(f*factor >= 1 && f*factor < 1<<60) {
		return 0, fmt.Errorf("%q is no size: write it as 500MB, 10GB or 10GiB", text)
	}
	return int64(f * factor), nil
}

// mostOfKey is the maximum number of characters of a key in a sentence: keys have up to 2 KB.
const mostOfKey = 100

// ShortKey returns a key, truncated for a sentence if it is long.
func ShortKey(key string) string {
	n := 0
	for i := range key {
		if n++; n == mostOfKey {
			if rest := key[i:]; utf8.RuneCountInString(rest) > 1 {
				return key[:i] + "…"
			}
			break
		}
	}
	return key
}

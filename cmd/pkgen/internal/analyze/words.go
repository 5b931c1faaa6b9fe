package analyze

import (
	"fmt"
	"strconv"
)

// percent writes a share for people.
func percent(share float64) string {
	if share >= wholePercentage || share == 0 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}

// Size writes a number of bytes for people, in powers of 1000: "1.2 GB".
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

// count says how many there are.
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.FormatInt(n, 10) + " " + what + "s"
}

// has is the verb of a number.
func has(n int64) string {
	if n == 1 {
		return " has"
	}
	return " have"
}

// article names an interval.
func article(interval string) string {
	switch interval {
	case "hour":
		return "an hour"
	case "sample":
		return "the sample"
	}
	return "a " + interval
}

package partition

import "strings"

// Suffix returns the bucket at the end of key, after the last sep, from 1 to buckets. It
// returns 0 if there is no sep, if the rest is not canonical decimal (ASCII digits, no sign, no
// leading zero), or if the number is beyond buckets. So it distinguishes the keys of a base
// with a suffix from those of longer bases: "2018-08-09.126" ends with bucket 126 of 400;
// "2018-08-09.126x", "2018-08-09.0126" and "2018-08-09.401" do not end with a bucket.
//
// It does not allocate and is safe for concurrent use.
func Suffix(key, sep string, buckets int) int {
	at := strings.LastIndex(key, sep)
	if at < 0 {
		return 0
	}
	return bucketOf(key[at+len(sep):], buckets)
}

// bucketOf returns the bucket with these digits, or 0.
func bucketOf(digits string, buckets int) int {
	if digits == "" || digits[0] == '0' {
		return 0
	}
	bucket := 0
	for i := range len(digits) {
		digit := int(digits[i]) - '0'
		if digit < 0 || digit > 9 || bucket > buckets/10 || digit > buckets-bucket*10 {
			return 0
		}
		bucket = bucket*10 + digit
	}
	return bucket
}

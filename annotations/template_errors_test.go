package annotations

import "testing"

func TestTemplateErrors(t *testing.T) {
	checkGolden(t, func(s string) []*Error {
		_, err := ParseTemplate(s)
		if err == nil {
			return nil
		}
		return []*Error{err}
	}, []golden{
		{"", []Error{{0, 0, "empty template: name a field in braces, as in {date}"}}},
		{"customer", []Error{{0, 8, `template "customer" has no field, so that all documents get one key: name one in braces, as in {date}`}}},
		{"{", []Error{{0, 1, `"{" is not closed: write "}" after the field`}}},
		{"a-{b", []Error{{2, 3, `"{" is not closed: write "}" after the field`}}},
		{"{a{b}", []Error{{0, 1, `"{" is not closed: write "}" after the field`}}},
		{"}", []Error{{0, 1, `"}" without a "{" before it: braces hold a field, and cannot stand in a key`}}},
		{"{a}}", []Error{{3, 4, `"}" without a "{" before it: braces hold a field, and cannot stand in a key`}}},
		{"{}", []Error{{1, 1, "no field here: write a name, as in {date}"}}},
		{"{|day}", []Error{{1, 1, "no field here: write a name, as in {date}"}}},
		{"{%4}", []Error{{1, 1, "no field here: write a name, as in {date}"}}},
		{"{a+%4}", []Error{{3, 3, "no field here: write a name, as in {date}"}}},
		{"{a}{b}", []Error{{3, 6, `{b} touches the field before it, so that their texts run together: write text between them, such as "-"`}}},
		{"{date}{vin%400}", []Error{{6, 15, `{vin%400} touches the field before it, so that their texts run together: write text between them, such as "-"`}}},
		{"{a}1{b%4}", []Error{{4, 9, `{b%4} follows a digit, which reads like a part of the bucket: write a sign before it, such as "."`}}},
		{"{a}.10{*%4}", []Error{{6, 11, `{*%4} follows a digit, which reads like a part of the bucket: write a sign before it, such as "."`}}},
		{"{*}", []Error{{1, 2, "{*} lacks the number of buckets: write it as in {*%400}"}}},
		{"{*|day%4}", []Error{{1, 8, "{*|day%4} formats a random bucket, which is no time: remove the format"}}},
		{"{*+a%4}", []Error{{1, 2, `{*+a%…} mixes a random bucket with a computed one: keep the fields or the "*"`}}},
		{"{a+*%4}", []Error{{3, 4, `{a+*%…} mixes a random bucket with a computed one: keep the fields or the "*"`}}},
		{"{a+b}", []Error{{1, 4, "{a+b} joins fields without a bucket: write each in braces of its own, or the number of buckets, as in {vin+region%400}"}}},
		{"{a+b|day}", []Error{{1, 8, "{a+b|day} joins fields without a bucket: write each in braces of its own, or the number of buckets, as in {vin+region%400}"}}},
		{"{a+b+a%4}", []Error{{5, 6, `field "a" stands here twice: hashing a field again adds nothing; remove one`}}},
		{"{a%}", []Error{{3, 3, `"" is not a number of buckets: write a whole number from 2 to 10000 in digits`}}},
		{"{a%x}", []Error{{3, 4, `"x" is not a number of buckets: write a whole number from 2 to 10000 in digits`}}},
		{"{a%1}", []Error{{3, 4, `"1" is too small a number of buckets: fewer than 2 spread nothing; write 2 to 10000, or leave the suffix out`}}},
		{"{a%04}", []Error{{3, 5, `"04" begins with a zero: write the number of buckets without it`}}},
		{"{a%10001}", []Error{{3, 8, `"10001" is too large a number of buckets: a suffix helps only up to the number of physical partitions, and reads without it go through all buckets; use at most 10000`}}},
		{"{a%4|day}", []Error{{3, 8, `"4|day" is not a number of buckets: write a whole number from 2 to 10000 in digits`}}},
		{"{a|}", []Error{{3, 3, "empty format: write year, month, day, hour, or a Go layout such as 2006-01-02"}}},
		{"{a|dya}", []Error{{3, 6, `unknown format "dya": did you mean "day"?`}}},
		{"{at|2006-1}", []Error{{9, 10, `format "2006-1": Go reads "1" as a month without padding, which has no fixed width: write 01`}}},
		{"{a}-{at|2006-01-02T15:04Z07}", []Error{{24, 27, `format "2006-01-02T15:04Z07": Go reads "Z07" as a time zone, and keys are always in UTC: remove it`}}},
		{"{a|lower}", []Error{{3, 8, `unknown format "lower": write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05`}}},
		{"{a|2006|01}", []Error{{7, 8, `text in a format "|" may not hold "|", which has a meaning in tags and templates: remove it`}}},
		{"{a},{b}", []Error{{3, 4, `text in a template "," may not hold ",", which has a meaning in tags and templates: remove it`}}},
		{"a,b-{c}", []Error{{1, 2, `text in a template "a,b-" may not hold ",", which has a meaning in tags and templates: remove it`}}},
		{"{a,b}", []Error{{1, 4, `field "a,b" holds a comma, which ends the template in a tag: close the braces before it`}}},
		{"{ a}", []Error{{1, 3, `spaces around the field " a": remove them`}}},
		{"{a }", []Error{{1, 3, `spaces around the field "a ": remove them`}}},
		{"{a + b%4}", []Error{{1, 3, `spaces around the field "a ": remove them`}}},
		{"{.a}", []Error{{1, 3, `field ".a" lacks a name beside a point: write names joined by "."`}}},
		{"{a.}", []Error{{1, 3, `field "a." lacks a name beside a point: write names joined by "."`}}},
		{"{a..b}", []Error{{1, 5, `field "a..b" lacks a name beside a point: write names joined by "."`}}},
		{"{a\x00}", []Error{{1, 3, `field "a\x00" holds a control character: remove it`}}},
		{"{a\xff}", []Error{{1, 3, `field "a\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"\x00{a}", []Error{{0, 1, `text in a template "\x00" holds a control character, which cannot stand in a key: remove it`}}},
		{"{a}\x7f", []Error{{3, 4, `text in a template "\x7f" holds a control character, which cannot stand in a key: remove it`}}},
		{"😀{a}", []Error{{0, 4, `text in a template "😀" holds "😀", and the SDK cannot send characters beyond U+FFFF in a key: use another`}}},
		{"{a}\xff", []Error{{3, 4, `text in a template "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
	})
}

package annotations

import (
	"errors"
	"testing"
)

func TestLayoutErrors(t *testing.T) {
	checkGolden(t, func(s string) []*Error {
		_, err := Layout(s)
		var e *Error
		if !errors.As(err, &e) {
			return nil
		}
		return []*Error{e}
	}, []golden{
		{"", []wrong{{0, 0, "empty format: write year, month, day, hour, or a Go layout such as 2006-01-02"}}},
		{"day ", []wrong{{0, 4, `spaces around the format "day": remove them`}}},
		{"Day", []wrong{{0, 3, `unknown format "Day": did you mean "day"?`}}},
		{"dya", []wrong{{0, 3, `unknown format "dya": did you mean "day"?`}}},
		{"days", []wrong{{0, 4, `unknown format "days": did you mean "day"?`}}},
		{"mnth", []wrong{{0, 4, `unknown format "mnth": did you mean "month"?`}}},
		{"YEAR", []wrong{{0, 4, `unknown format "YEAR": did you mean "year"?`}}},
		{"date", []wrong{{0, 4, `unknown format "date": write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05`}}},
		{"minute", []wrong{{0, 6, `unknown format "minute": write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05`}}},
		{"yyyy-MM-dd", []wrong{{0, 10, `unknown format "yyyy-MM-dd": write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05`}}},
		{"%Y-%m-%d", []wrong{{0, 8, `unknown format "%Y-%m-%d": write year, month, day, hour, or a Go layout made from the time 2006-01-02T15:04:05`}}},
		{"200612", []wrong{{4, 5, `format "200612": Go reads "1" as a month without padding, whose digits run into its neighbours: write 01, or text between them`}}},
		{"2006-12", []wrong{{5, 6, `format "2006-12": Go reads "1" as a month without padding, whose digits run into its neighbours: write 01, or text between them`}}},
		{"2006-012", []wrong{{7, 8, `format "2006-012": Go reads "2" as a day without padding, whose digits run into its neighbours: write 02, or text between them`}}},
		{"2-12006", []wrong{{2, 3, `format "2-12006": Go reads "1" as a month without padding, whose digits run into its neighbours: write 01, or text between them`}}},
		{"2006-1-1", []wrong{{7, 8, `format "2006-1-1" has "1" twice: write each element once`}}},
		{"2006-2", []wrong{{0, 6, `format "2006-2" has the day but not the month, so different times get the same key: add "01"`}}},
		{"2006-01-_2", []wrong{{8, 10, `format "2006-01-_2": Go reads "_2" as a day padded with a space: write 02`}}},
		{"2006002", []wrong{{4, 7, `format "2006002": Go reads "002" as the day of the year: write the month 01 and the day 02`}}},
		{"2006-__2", []wrong{{5, 8, `format "2006-__2": Go reads "__2" as the day of the year padded with spaces: write the month 01 and the day 02`}}},
		{"06-01-02", []wrong{{0, 2, `format "06-01-02": Go reads "06" as a year of two digits, which cannot tell 1926 from 2026: write 2006`}}},
		{"2006-01-02 3", []wrong{{11, 12, `format "2006-01-02 3": Go reads "3" as an hour of the 12-hour clock, which comes twice a day: write 15`}}},
		{"2006-01-02 03PM", []wrong{{11, 13, `format "2006-01-02 03PM": Go reads "03" as an hour of the 12-hour clock, which comes twice a day: write 15`}}},
		{"2006-01-02 PM", []wrong{{11, 13, `format "2006-01-02 PM": Go reads "PM" as a half of the day, of the 12-hour clock: remove it and write the hour as 15`}}},
		{"2006 rpm", []wrong{{6, 8, `format "2006 rpm": Go reads "pm" as a half of the day, of the 12-hour clock: remove it and write the hour as 15`}}},
		{"2006-01-02T154", []wrong{{13, 14, `format "2006-01-02T154": Go reads "4" as a minute without padding, whose digits run into its neighbours: write 04, or text between them`}}},
		{"Jan 2006", []wrong{{0, 3, `format "Jan 2006": Go reads "Jan" as the name of a month, which has no fixed width and sorts by letter: write 01`}}},
		{"January", []wrong{{0, 7, `format "January": Go reads "January" as the name of a month, which has no fixed width and sorts by letter: write 01`}}},
		{"2006-01-02 Monday", []wrong{{11, 17, `format "2006-01-02 Monday": Go reads "Monday" as the name of a weekday, which has no fixed width and says nothing that the date does not: remove it`}}},
		{"Mon", []wrong{{0, 3, `unknown format "Mon": did you mean "month"?`}}},
		{"2006-01-02T15:04:05Z07:00", []wrong{{19, 25, `format "2006-01-02T15:04:05Z07:00": Go reads "Z07:00" as a time zone, and keys are always in UTC: remove it`}}},
		{"2006-01-02-07", []wrong{{10, 13, `format "2006-01-02-07": Go reads "-07" as a time zone, and keys are always in UTC: remove it`}}},
		{"2006-01-02T15 MST", []wrong{{14, 17, `format "2006-01-02T15 MST": Go reads "MST" as a time zone, and keys are always in UTC: remove it`}}},
		{"2006-01-02T15:04:05.999", []wrong{{19, 23, `format "2006-01-02T15:04:05.999": Go reads ".999" as a fraction without trailing zeros, which has no fixed width: write zeros, as in .000`}}},
		{"2006-01-02T15:04:05,000", []wrong{{19, 23, `format "2006-01-02T15:04:05,000": Go reads ",000" as a fraction after a comma, but a comma ends the format in a tag: write a point`}}},
		{"2006-01-02T15:04:05.0000000000", []wrong{{19, 30, `format "2006-01-02T15:04:05.0000000000": Go reads ".0000000000" as a fraction of more than nine digits, but a time has nanoseconds: write at most .000000000`}}},
		{"2006.000", []wrong{{4, 8, `format "2006.000": the fraction ".000" must come right after the seconds 05`}}},
		{"2006-01-02T15:04.000:05", []wrong{{16, 20, `format "2006-01-02T15:04.000:05": the fraction ".000" must come right after the seconds 05`}}},
		{"05.2006-01-02T15:04", []wrong{{2, 7, `format "05.2006-01-02T15:04": Go reads what follows "05." as a fraction of the second; use another separator than "."`}}},
		{"01-02", []wrong{{0, 5, `format "01-02" has the day but not the year, so different times get the same key: add "2006"`}}},
		{"15:04", []wrong{{0, 5, `format "15:04" has the minute but not the year, so different times get the same key: add "2006"`}}},
		{"2006-02", []wrong{{0, 7, `format "2006-02" has the day but not the month, so different times get the same key: add "01"`}}},
		{"2006-01-02T04", []wrong{{0, 13, `format "2006-01-02T04" has the minute but not the hour, so different times get the same key: add "15"`}}},
		{"2006-01-02T15:05", []wrong{{0, 16, `format "2006-01-02T15:05" has the second but not the minute, so different times get the same key: add "04"`}}},
		{"2006-01-02T15:05.000", []wrong{{0, 20, `format "2006-01-02T15:05.000" has the fraction of a second but not the minute, so different times get the same key: add "04"`}}},
		{"2006-2006", []wrong{{5, 9, `format "2006-2006" has "2006" twice: write each element once`}}},
		{"2006-01-01", []wrong{{8, 10, `format "2006-01-01" has "01" twice: write each element once`}}},
		{"2006-01-02T15:04:05.000 15", []wrong{{24, 26, `format "2006-01-02T15:04:05.000 15" has "15" twice: write each element once`}}},
		{"v72006", []wrong{{1, 2, `format "v72006": "7" is not an element of a Go layout, but looks like part of the date; layouts are made from the time 2006-01-02T15:04:05`}}},
		{"2006-0", []wrong{{5, 6, `format "2006-0": "0" is not an element of a Go layout, but looks like part of the date; layouts are made from the time 2006-01-02T15:04:05`}}},
		{"2006|01", []wrong{{4, 5, `text in a format "|" may not hold "|", which has a meaning in tags and templates: remove it`}}},
		{"2006%01", []wrong{{4, 5, `text in a format "%" may not hold "%", which has a meaning in tags and templates: remove it`}}},
		{"{2006}", []wrong{{0, 1, `text in a format "{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"2006,01", []wrong{{4, 5, `format "2006,01" holds a comma, which ends the format in a tag: use "." for fractions, or another separator`}}},
		{"2006\x0001", []wrong{{4, 5, `text in a format "\x00" holds a control character, which a key cannot hold: remove it`}}},
		{"2006😀", []wrong{{4, 8, `text in a format "😀" holds "😀", and the SDK cannot send characters beyond U+FFFF in a key: use another`}}},
		{"2006\xff", []wrong{{4, 5, `text in a format "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
	})
}

package report_test

import (
	"math"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// day is when the samples begin.
var day = time.Date(2018, 8, 9, 6, 0, 0, 0, time.UTC)

// noise returns the same numbers on every machine, from 0 to 1.
func noise(i int) float64 { return float64(uint32(i+1)*2654435761>>8%1000) / 1000 }

// hostile is a text that means mischief.
const hostile = "<img src=x onerror=alert(1)>\n\u202e\"'&\x1b[31m]]>--></script>"

// heatMap returns a heat map of rows over minutes, one of which is hot.
func heatMap(rows, minutes int) *report.HeatMap {
	names := make([]string, rows)
	values := make([][]float64, rows)
	for r := range values {
		names[r] = string(rune('0' + r%10))
		for m := range minutes {
			v := 200 + 150*math.Sin(float64(m)/40) + 80*noise(r*minutes+m)
			if r == rows/2 && m > minutes/3 && m < minutes/2 {
				v *= 6
			}
			values[r] = append(values[r], v)
		}
	}
	return &report.HeatMap{
		Title: "Writes by physical partition", Description: "How many documents each physical partition takes in a minute.",
		Rows: report.Numbers("partition", 0, rows), Columns: report.Times("time", day, time.Minute, minutes),
		Values: values, Unit: "RU/s", Mean: true, Limit: report.Limit{Name: "10,000 RU/s of a partition", Value: 1500},
	}
}

func lines() *report.Lines {
	l := &report.Lines{
		Title: "Throughput by second", Description: "Two layouts, written at the same rate.", X: report.Numbers("second", 0, 120), Unit: "RU/s",
		Limits: []report.Limit{{Name: "sustained by the container", Value: 43000}},
	}
	for i, name := range []string{"{date}", "{date}.{vin%400}", "{vin}"} {
		s := report.Series{Name: name}
		for k := range 120 {
			s.Values = append(s.Values, float64(10000+17000*i)*(0.9+0.2*noise(k+i*1000)))
		}
		l.Series = append(l.Series, s)
	}
	l.Series[2].Values[50] = math.NaN()
	return l
}

func bars() *report.Bars {
	return &report.Bars{
		Title: "Writes that a layout sustains", Description: "At 10,000 RU/s for each physical partition.",
		Groups: []string{"{date}", "{date}.{vin%10}", "{date}.{vin%400}", hostile}, Unit: "RU/s",
		Series: []report.Series{
			{Name: "5 partitions", Values: []float64{10000, 33000, 44000, 1}},
			{Name: "20 partitions", Values: []float64{10000, 50000, 143000, 0}},
			{Name: "50 partitions", Values: []float64{10000, 50000, 286000, math.NaN()}},
		},
	}
}

func curve() *report.Curve {
	c := &report.Curve{
		Title: "Load by physical partition, sorted", Description: "The busiest partition first.", X: "physical partitions", Unit: "%",
		Limits: []report.Limit{{Name: "an equal share", Value: 5}},
	}
	for i, name := range []string{"{date}", "{date}.{vin%400}"} {
		s := report.Series{Name: name}
		for k := range 20 {
			s.Values = append(s.Values, 5*(1+0.4*(noise(k+i*77)-0.5)))
			if i == 0 {
				s.Values[k] = 0
			}
		}
		c.Series = append(c.Series, s)
	}
	c.Series[0].Values[7] = 100
	return c
}

// hostileCharts have mischief in each text, and in long ones.
func hostileCharts() map[string]report.Chart {
	long := hostile + strings.Repeat("<b>漢", 100_000)
	names := report.Names(hostile, hostile, long)
	values := [][]float64{{1, 2}, {3, 4}}
	series := []report.Series{{Name: hostile, Values: values[0]}, {Name: long, Values: values[1]}}
	limits := []report.Limit{{Name: hostile, Value: 2}}
	all := map[string]report.Chart{
		"heatmap": &report.HeatMap{Title: hostile, Description: long, Rows: names, Columns: names, Values: values, Unit: hostile, Limit: limits[0]},
		"lines":   &report.Lines{Title: hostile, Description: hostile, X: names, Series: series, Limits: limits, Unit: hostile},
		"bars":    &report.Bars{Title: hostile, Description: hostile, Groups: []string{hostile, long}, Series: series, Limits: limits, Unit: hostile},
		"curve":   &report.Curve{Title: hostile, Description: hostile, X: hostile, Series: series, Limits: limits, Unit: hostile},
	}
	all["grid"] = &report.Grid{Title: hostile, Charts: []report.Chart{all["bars"]}}
	return all
}

// odd are charts without values, with one, and with such as are no numbers.
func odd() map[string]report.Chart {
	nan, inf := math.NaN(), math.Inf(1)
	one := report.Names("", "a")
	return map[string]report.Chart{
		"no heat map": &report.HeatMap{}, "no lines": &report.Lines{}, "no bars": &report.Bars{}, "no curve": &report.Curve{}, "no grid": &report.Grid{},
		"one cell":     &report.HeatMap{Rows: one, Columns: one, Values: [][]float64{{0}}},
		"ragged":       &report.HeatMap{Rows: report.Numbers("", 0, 3), Columns: report.Times("", day, time.Second, 3), Values: [][]float64{{1}, {nan, inf, -1}}},
		"no numbers":   &report.Lines{X: report.Numbers("", 0, 3), Series: []report.Series{{Values: []float64{nan, inf, -inf}}}, Limits: []report.Limit{{Value: inf}}},
		"one value":    &report.Lines{X: one, Series: []report.Series{{Values: []float64{1}}}},
		"short series": &report.Bars{Groups: []string{"a", "b"}, Series: []report.Series{{Values: []float64{-1}}, {Values: []float64{nan, 1e-300}}}},
		"log":          &report.Lines{Log: true, X: one, Series: []report.Series{{Values: []float64{0}}}},
		"nothing":      &report.Curve{Series: []report.Series{{Values: []float64{nan}}, {Values: []float64{0, 0, 1e300}}}},
	}
}

package annotations_test

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

func ExampleParseField() {
	const tag = "pk,format=day,hashsufix=VIN,buckets=400"
	field, errs := annotations.ParseField(tag)
	fmt.Println(field.Format, field.Buckets)
	for _, err := range errs {
		fmt.Println(tag)
		fmt.Println(strings.Repeat(" ", err.Offset) + strings.Repeat("^", err.End-err.Offset))
		fmt.Println(err)
	}
	// Output:
	// 2006-01-02 400
	// pk,format=day,hashsufix=VIN,buckets=400
	//               ^^^^^^^^^
	// unknown word "hashsufix": did you mean "hashsuffix"?
}

func ExampleParseTemplate() {
	template, err := annotations.ParseTemplate("{at|day}.{vin%400}")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(template)
	fmt.Println(template.Levels[0][2].Component.Buckets)
	// Output:
	// {at|2006-01-02}.{vin%400}
	// 400
}

func ExampleLayout() {
	for _, format := range []string{"day", "2006-01-02T15:04", "200612"} {
		layout, err := annotations.Layout(format)
		fmt.Printf("%q %v\n", layout, err)
	}
	// Output:
	// "2006-01-02" <nil>
	// "2006-01-02T15:04" <nil>
	// "" format "200612": Go reads "1" as a month without padding, whose digits run into its neighbours: write 01, or text between them
}

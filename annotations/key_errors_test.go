package annotations

import "testing"

// fieldErrors and the like parse a text for its errors.
func fieldErrors(s string) []*Error {
	_, errs := ParseField(s)
	return errs
}

func typeErrors(s string) []*Error {
	_, errs := ParseType(s)
	return errs
}

func templateErrors(s string) []*Error {
	if _, err := ParseTemplate(s); err != nil {
		return []*Error{err}
	}
	return nil
}

// TestErrorsOfComponents has the words that change a component or its place.
func TestErrorsOfComponents(t *testing.T) {
	checkGolden(t, fieldErrors, []golden{
		{"pk,concat,order=0", []wrong{{16, 17, `"0" is not a position: write a whole number from 1 to 1000 in digits`}}},
		{"pk,concat,order=x", []wrong{{16, 17, `"x" is not a position: write a whole number from 1 to 1000 in digits`}}},
		{"pk,concat,order=01", []wrong{{16, 18, `"01" is not a position: write a whole number from 1 to 1000 in digits`}}},
		{"pk,concat,order=1001", []wrong{{16, 20, `"1001" is not a position: write a whole number from 1 to 1000 in digits`}}},
		{"pk,concat,order=99999999999999999999", []wrong{{16, 36, `"99999999999999999999" is not a position: write a whole number from 1 to 1000 in digits`}}},
		{"pk,concat,order", []wrong{{10, 15, `"order" needs a value, as in "pk,concat,order=1"`}}},
		{"pk,order=1", []wrong{{3, 8, `"order" needs "concat": it is the position of a joined component; write "pk,concat,order=1"`}}},
		{"order=1", []wrong{{0, 5, `"order" needs "concat": it is the position of a joined component; write "pk,concat,order=1"`}}},
		{"pk,order=1,order=2", []wrong{
			{3, 8, `"order" needs "concat": it is the position of a joined component; write "pk,concat,order=1"`},
			{11, 16, `duplicate word "order": say it once`},
		}},
		{"lower", []wrong{{0, 5, `"lower" needs "pk": it changes a component of the partition key; write "pk,lower"`}}},
		{"synthetic,lower", []wrong{{10, 15, `"lower" needs "pk": it changes a component of the partition key; write "pk,lower"`}}},
		{"pk,lower=true", []wrong{{8, 13, `"lower" takes no value: write "lower" alone`}}},
		{"pk,lower,format=day", []wrong{{9, 15, `"lower" and "format" exclude each other: a formatted time has no case; keep "format" for a time, "lower" for a text`}}},
		{"pk,format=day,lower", []wrong{{14, 19, `"format" and "lower" exclude each other: a formatted time has no case; keep "format" for a time, "lower" for a text`}}},
		{"pk,format=lower", []wrong{{10, 15, `"lower" is a word of its own, since a format is for times: write "pk,lower"`}}},
		{"pk,loer", []wrong{{3, 7, `unknown word "loer": did you mean "lower"?`}}},
		{"pk,level=0", []wrong{{9, 10, `"0" is not a level: a hierarchical key has at most three, and a fourth that is the item id; write 1 to 4`}}},
		{"pk,level=5", []wrong{{9, 10, `"5" is not a level: a hierarchical key has at most three, and a fourth that is the item id; write 1 to 4`}}},
		{"pk,level=one", []wrong{{9, 12, `"one" is not a level: a hierarchical key has at most three, and a fourth that is the item id; write 1 to 4`}}},
		{"pk,level=+1", []wrong{{9, 11, `"+1" is not a level: a hierarchical key has at most three, and a fourth that is the item id; write 1 to 4`}}},
		{"level=1", []wrong{{0, 5, `"level" needs "pk": it is a level of the partition key; write "pk,level=1"`}}},
		{"pk,level", []wrong{{3, 8, `"level" needs a value, as in "pk,level=1"`}}},
		{"pk,level=1,concat", []wrong{{11, 17, `"level" and "concat" exclude each other: a level is one value; tag one field for each level, or join them in a synthetic key without levels`}}},
		{"pk,concat,level=1", []wrong{{10, 15, `"concat" and "level" exclude each other: a level is one value; tag one field for each level, or join them in a synthetic key without levels`}}},
		{"pk,concat,order=1,level=1", []wrong{
			{18, 23, `"concat" and "level" exclude each other: a level is one value; tag one field for each level, or join them in a synthetic key without levels`},
			{18, 23, `"order" and "level" exclude each other: levels are ordered by their numbers; remove "order"`},
		}},
		{"pk,level=1,concat,order=2", []wrong{
			{11, 17, `"level" and "concat" exclude each other: a level is one value; tag one field for each level, or join them in a synthetic key without levels`},
			{18, 23, `"level" and "order" exclude each other: levels are ordered by their numbers; remove "order"`},
		}},
		{"pk,key={a}", []wrong{{3, 6, "\"key\" belongs on the blank field: _ struct{} `cosmos:\"key=customer:{CustomerID}:{Month|2006-01}.{VIN|lower%400}\"`"}}},
		{"pk,escape", []wrong{{3, 9, "\"escape\" belongs on the blank field: _ struct{} `cosmos:\"escape,sep=|\"`"}}},
	})
}

// TestErrorsOfKeys has the words for the whole key.
func TestErrorsOfKeys(t *testing.T) {
	checkGolden(t, typeErrors, []golden{
		{"key", []wrong{{0, 3, `"key" needs a value, as in "key=customer:{CustomerID}:{Month|2006-01}.{VIN|lower%400}"`}}},
		{"key=", []wrong{{0, 3, `"key" needs a value, as in "key=customer:{CustomerID}:{Month|2006-01}.{VIN|lower%400}"`}}},
		{"key= {A}", []wrong{{4, 8, `spaces around "{A}": write the value right after the "="`}}},
		{"escape=true", []wrong{{6, 11, `"escape" takes no value: write "escape" alone`}}},
		{"key={A},sep=-", []wrong{{8, 11, `"key" and "sep" exclude each other: the template has the text between the fields; write the text there`}}},
		{"sep=-,key={A}", []wrong{{6, 9, `"sep" and "key" exclude each other: the template has the text between the fields; write the text there`}}},
		{"key={A},suffixsep=.", []wrong{{8, 17, `"key" and "suffixsep" exclude each other: the template has the text between the fields; write the text there`}}},
		{"suffixsep=.,key={A}", []wrong{{12, 15, `"suffixsep" and "key" exclude each other: the template has the text between the fields; write the text there`}}},
		{"key={A}-{B},key={C}", []wrong{{12, 15, `duplicate word "key": say it once`}}},
		{"key={A},{B}", []wrong{{8, 11, `unknown word "{B}": a comma ends the template before it; a key of several levels has "pk,level=1", "pk,level=2" on its fields`}}},
		{"key={A,B}", []wrong{
			{4, 5, `"{" is not closed: write "}" after the field`},
			{7, 9, `unknown word "B}": a comma ends the template before it; a key of several levels has "pk,level=1", "pk,level=2" on its fields`},
		}},
		{"lower", []wrong{{0, 5, `"lower" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"level=1", []wrong{{0, 5, `"level" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"key=A", []wrong{{4, 5, `template "A" has no field, so all documents get the same key: name one in braces, as in {date}`}}},
		{"key={A", []wrong{{4, 5, `"{" is not closed: write "}" after the field`}}},
		{"key={a-b}", []wrong{{5, 8, `field path "a-b": "a-b" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"key={A.type}", []wrong{{7, 11, `field path "A.type": "type" is a Go keyword, and cannot be a field: name a field of the struct`}}},
		{"key={A}-{B.}", []wrong{{9, 11, `field "B." lacks a name before or after a point: write names joined by "."`}}},
		{"key={_}", []wrong{{5, 6, `field path "_" names the blank field, which holds nothing: name another field`}}},
		{"key={A-b}.{1x+B%4}", []wrong{
			{5, 8, `field path "A-b": "A-b" is not a Go field name: write the name as in the struct, not as in JSON`},
			{11, 13, `field path "1x": "1x" is not a Go field name: write the name as in the struct, not as in JSON`},
		}},
		{"key={A}{B}", []wrong{{7, 10, `{B} follows the field before it directly, so their texts run together: write text between them, such as "-"`}}},
		{"key={A}-{A}", []wrong{{8, 11, `field "A" occurs here twice: its text is in the key already; remove one`}}},
		{"key={At|2006}/{At|2006-01}", []wrong{{14, 26, `field "At" occurs here twice: its text is in the key already; remove one`}}},
		{"key={A%4}-{B%4}", []wrong{{10, 15, `{B%4} is a second bucket: a key has one suffix; keep one, which may hash several fields, as in {VIN+Region%400}`}}},
		{"key={A}.{*%4}.{B%4}", []wrong{
			{8, 13, `{*%4} must be the last part of a key, after the text that it spreads: write it as in {Date}.{*%4}`},
			{14, 19, `{B%4} is a second bucket: a key has one suffix; keep one, which may hash several fields, as in {VIN+Region%400}`},
		}},
		{"key={*%4}", []wrong{{4, 9, `{*%4} must be the last part of a key, after the text that it spreads: write it as in {Date}.{*%4}`}}},
		{"key={A}.{*%4}-{B}", []wrong{{8, 13, `{*%4} must be the last part of a key, after the text that it spreads: write it as in {Date}.{*%4}`}}},
		{"key={A}.{*%4}-x", []wrong{{8, 13, `{*%4} must be the last part of a key, after the text that it spreads: write it as in {Date}.{*%4}`}}},
		{"key={A|dya}", []wrong{{7, 10, `unknown format "dya": did you mean "day"?`}}},
		{"key={A|lower|day}", []wrong{{7, 16, `"lower|day" follows "lower", but a formatted time has no case: keep one`}}},
		{"sep=a,escape", []wrong{{4, 5, `separator "a" begins with "a", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,sep=%", []wrong{{11, 12, `separator "%" begins with "%", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,sep=%-", []wrong{{11, 12, `separator "%-" begins with "%", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,sep=0", []wrong{{11, 12, `separator "0" begins with "0", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,suffixsep=x", []wrong{{17, 18, `separator "x" begins with "x", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,sep=A,suffixsep=-f", []wrong{{11, 12, `separator "A" begins with "A", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,key={A}0{B}", []wrong{{14, 15, `separator "0" begins with "0", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"key=v1{A}x{B}%,escape", []wrong{
			{9, 10, `separator "x" begins with "x", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`},
			{13, 14, `separator "%" begins with "%", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`},
		}},
		{"escape,key=1{A}-{B%4}7", []wrong{{21, 22, `separator "7" begins with "7", which percent-encoding needs: with "escape" begin it with another sign, such as "-"`}}},
		{"escape,key={A", []wrong{{11, 12, `"{" is not closed: write "}" after the field`}}},
	})
}

// TestErrorsOfLevels has templates of several levels, and of lower case.
func TestErrorsOfLevels(t *testing.T) {
	checkGolden(t, templateErrors, []golden{
		{",", []wrong{{0, 0, `empty level before or after a comma: name a field in braces, as in {tenantId},{userId}`}}},
		{"{a},", []wrong{{4, 4, `empty level before or after a comma: name a field in braces, as in {tenantId},{userId}`}}},
		{",{a}", []wrong{{0, 0, `empty level before or after a comma: name a field in braces, as in {tenantId},{userId}`}}},
		{"{a},,{b}", []wrong{{4, 4, `empty level before or after a comma: name a field in braces, as in {tenantId},{userId}`}}},
		{"{a},b", []wrong{{4, 5, `level "b" has no field, so all documents get the same value there: name one in braces, as in {tenantId},{userId}`}}},
		{"x,{a}", []wrong{{0, 1, `level "x" has no field, so all documents get the same value there: name one in braces, as in {tenantId},{userId}`}}},
		{"{a}, {b}", []wrong{{4, 8, `spaces around the level "{b}": a comma alone separates levels, as in {tenantId},{userId}`}}},
		{"{a} ,{b}", []wrong{{0, 4, `spaces around the level "{a}": a comma alone separates levels, as in {tenantId},{userId}`}}},
		{"{a},{a}", []wrong{{4, 7, `level 2 repeats level 1, and spreads nothing: remove one`}}},
		{"{a},{b},{a}", []wrong{{8, 11, `level 3 repeats level 1, and spreads nothing: remove one`}}},
		{"{a|day},{a|2006-01-02}", []wrong{{8, 22, `level 2 repeats level 1, and spreads nothing: remove one`}}},
		{"{a},{b},{c},{d}", []wrong{{12, 15, `template "{a},{b},{c},{d}" has a fourth level, which in Cosmos DB has to be {id}, the id of the item: join fields, or leave one out`}}},
		{"{a},{b},{c},{id|lower}", []wrong{{12, 22, `template "{a},{b},{c},{id|lower}" has a fourth level, which in Cosmos DB has to be {id}, the id of the item: join fields, or leave one out`}}},
		{"{a},{b},{c},{id},{d}", []wrong{{17, 20, `template "{a},{b},{c},{id},{d}" has more than 4 levels, the most that Cosmos DB allows: join fields, or leave some out`}}},
		{"{a},{b}{c}", []wrong{{7, 10, `{c} follows the field before it directly, so their texts run together: write text between them, such as "-"`}}},
		{"{a},{b", []wrong{{4, 5, `"{" is not closed: write "}" after the field`}}},
		{"{a},}", []wrong{{4, 5, `"}" without a "{" before it: braces hold a field, and a key cannot hold them`}}},
		{"{a},{b|dya}", []wrong{{7, 10, `unknown format "dya": did you mean "day"?`}}},
		{"{a,b}", []wrong{{1, 4, `field "a,b" holds a comma, which separates levels: close the braces before it`}}},
		{"{a}\xff,{b}", []wrong{{3, 4, `text in a template "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"{a|lower|day}", []wrong{{3, 12, `"lower|day" follows "lower", but a formatted time has no case: keep one`}}},
		{"{a|2006|lower}", []wrong{{3, 13, `"2006|lower" follows "lower", but a formatted time has no case: keep one`}}},
		{"{a|lower|lower}", []wrong{{3, 14, `"lower|lower" follows "lower", but a formatted time has no case: keep one`}}},
		{"{a|Lower}", []wrong{{3, 8, `unknown format "Lower": did you mean "lower"?`}}},
		{"{a|lwer%4}", []wrong{{3, 7, `unknown format "lwer": did you mean "lower"?`}}},
		{"{*|lower%4}", []wrong{{1, 10, `{*|lower%4} lower-cases a random bucket, which has no letters: remove "|lower"`}}},
		{"{a+b|lower}", []wrong{{1, 10, `{a+b|lower} joins fields without a bucket: write each in braces of its own, or the number of buckets, as in {vin+region%400}`}}},
		{"{a|lower", []wrong{{0, 1, `"{" is not closed: write "}" after the field`}}},
		{"{a},{b}.{1%x}", []wrong{{11, 12, `"x" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"{a},{b},{c}, ", []wrong{{12, 13, `empty level before or after a comma: name a field in braces, as in {tenantId},{userId}`}}},
		{"{a},{b},{c},", []wrong{{12, 12, `empty level before or after a comma: name a field in braces, as in {tenantId},{userId}`}}},
	})
}

// Package cosmossql reads and evaluates the query language of Azure Cosmos DB
// for NoSQL over decoded JSON documents.
//
// [Parse] turns a query text into an immutable [Query], [Query.Bind] gives its
// parameters values and compiles it into a [Plan], and a Plan filters, orders,
// projects and aggregates documents ([Value], made by [Decode]).
//
// The package knows the language and nothing else: no HTTP, no storage, no
// partitions, no indexes. It never guesses. A word that it does not understand,
// or a construct that it does not evaluate, is an [*Error] that names the word
// and where it stands, so that a program cannot be misled by a wrong answer.
//
// # What is understood
//
//   - SELECT *, SELECT VALUE expression, SELECT expression [AS name], …
//   - TOP n, OFFSET n LIMIT m, ORDER BY property paths, ASC and DESC
//   - FROM container [AS] alias
//   - AND, OR, NOT; = != <> < <= > >=; IN and BETWEEN and their negations
//   - arithmetic with + - * / %, unary minus and plus; || for strings
//   - the functions of the table in functions.go, and COUNT, SUM, MIN, MAX and AVG
//   - parameters wherever a value may stand, and in TOP, OFFSET and LIMIT
//
// DISTINCT, GROUP BY, JOIN, subqueries, LIKE, user-defined functions, the
// conditional, coalescing and bitwise operators, and array and object
// constructors are refused by name.
//
// # Semantics
//
// The grammar is the one that Microsoft publishes with the .NET SDK (sql.g4 in
// the repository Azure/azure-cosmos-dotnet-v3). Where its operator precedence
// differs from other SQL dialects (NOT binds tighter than a comparison, ||
// looser), the unparenthesised form is refused rather than read either way.
//
// Logic has three values, as Microsoft's page "Logical operators" tabulates it:
// anything that is not a boolean counts as undefined, and only true selects.
//
// An equality with an undefined operand is undefined. Operands of different
// types are unequal: = is false and != is true, so that c.x != null selects the
// documents whose x is defined and not null. Microsoft's page "Equality and
// comparison operators" says undefined for both, but the service's own clients
// rely on the behaviour implemented here (the reference interpreter in the .NET
// SDK's tests, and Entity Framework Core's translation of null checks). The
// ordering operators are undefined across types and for arrays and objects, as
// that page says.
//
// ORDER BY and MIN and MAX use the type order undefined, null, false, true,
// numbers, strings, arrays, objects; strings order by their UTF-8 bytes, and
// arrays and objects have no order among themselves. Documents without the
// ORDER BY property are part of the result and sort first, as the .NET SDK's
// tests against the service expect (CosmosUndefinedQueryTests); the service used
// to leave them out of single-property orders, and some pages still say so.
//
// COUNT counts defined values and is 0 over nothing; SUM ignores undefined
// values and is 0 over nothing; AVG, MIN and MAX over nothing are undefined.
// One value that is not a number makes SUM and AVG undefined, an array or object
// makes MIN and MAX undefined. An undefined SELECT VALUE gives no row, an
// undefined projection leaves its property out.
//
// # Limits
//
// A query text holds at most [MaxQueryBytes] bytes, as in the service, and nests
// at most 256 levels. AND and OR chains are flat and may have any length.
package cosmossql

// Package evaluation evaluates the query language of Azure Cosmos DB for NoSQL over
// decoded JSON documents.
//
// [cosmossql.Parse] turns a query text into an immutable [cosmossql.Query]. [Bind] fills in
// the parameters and compiles the query into a [Plan]. A Plan makes rows of documents:
// [value.Value], made by [value.Decode].
//
// Each package below this one has one task: value holds values, function evaluates the system
// functions, spatial handles shapes, and work bounds the cost of a query.
//
// They implement the language only, without HTTP, storage, partitions or indexes. They never
// guess. A [*cosmossql.Error] reports an unknown word, a construct that is not evaluated, or a
// value that the service treats in an undocumented way. It names the word and its position. So
// no program gets a wrong answer.
//
// # The supported language
//
//   - SELECT *, SELECT VALUE expression, SELECT expression [[AS] name], …, with
//     DISTINCT and TOP n
//   - FROM container, a path in its documents, name IN path, a subquery, and up to
//     10 JOINs of these; queries without FROM
//   - WHERE, GROUP BY, ORDER BY paths of documents ASC and DESC, ORDER BY
//     VectorDistance, OFFSET n LIMIT m; ORDER BY RANK, in plans only
//   - the operators AND OR NOT = != <> < <= > >= + - * / % || & | ^ ~ << >> >>> ?:
//     and ??; IN, BETWEEN and LIKE with their negations, LIKE with ESCAPE
//   - array and object constructors, scalar subqueries, EXISTS and ARRAY
//   - the functions and aggregates that [cosmossql.Functions] lists
//   - parameters wherever a value is allowed, and in TOP, OFFSET and LIMIT
//
// User-defined functions, ALL, FIRST and LAST over subqueries, IN over a subquery, ORDER BY of
// anything but a path in documents, and TOP, ORDER BY and OFFSET LIMIT in subqueries are
// refused by name. The service refuses most of these as well.
//
// # Evaluating a plan
//
// There are two sorts of queries.
//
// If [Plan.WholeSet] is false, each document has its own rows. [Plan.Rows] makes
// them, so that they can be served page by page: the continuation is a place in the
// sequence of documents, and in the rows of one document. [Plan.SortKey] and
// [Plan.CompareKeys] order the documents for ORDER BY. [Plan.Window] returns the
// rows that TOP, OFFSET and LIMIT leave.
//
// If WholeSet is true, rows depend on many documents, by aggregates, GROUP BY or DISTINCT, or
// on no document. Only [Plan.Run] makes these rows. Run serves both sorts of queries, and also
// applies ORDER BY and the window.
//
// # Partitions
//
// [Plan.Restricts] returns the values of a partition key to which a query can be limited.
// [cosmossql.Query.Combines] names the clauses for which a gateway refuses a query over
// several partitions. A client that runs such a query separately in each partition combines
// the partial results as follows.
//
//   - Without those clauses: one after another. JOIN and subqueries stay within a
//     document.
//   - ORDER BY: merge by CompareKeys, equal keys by partition.
//   - TOP n: n of each, then n of all. OFFSET m LIMIT n: the first m+n of each
//     without an offset, then the window of all.
//   - DISTINCT: remove the duplicates of all once more.
//   - COUNT and SUM: add. If one SUM is absent, the whole is absent.
//   - MIN and MAX: compare the partial results that are there. A partial result is
//     absent for no rows, and also for arrays and objects, which make the whole
//     absent: only COUNT of the same value tells the two cases apart.
//   - AVG cannot be combined: ask for SUM and COUNT.
//   - GROUP BY: join the groups of equal keys, their aggregates as above.
//   - A query for which [Plan.ReadsDocuments] is false: run it in one partition.
//
// A query with ORDER BY RANK has no rows of its own, and [Plan.Run] refuses it. Its plan has a
// query for the statistics of all texts, whose results are combined as above, and a query for
// each score. That query calls _FullTextScore with the combined statistics, or _VectorScore.
// The client takes the best documents by each score, and fuses their ranks.
//
// # Sources
//
// The grammar, with the precedence of operators, is the one that Microsoft
// publishes with the .NET SDK (sql.g4 in the repository
// Azure/azure-cosmos-dotnet-v3). It differs from other dialects: NOT binds tighter
// than a comparison, so that NOT c.a = 1 is (NOT c.a) = 1, and || binds looser than
// a comparison. The grammar lacks optional AS, object properties without quotes,
// hexadecimal numbers and shifts: these follow Microsoft's reference of the query
// language (learn.microsoft.com, cosmos-db/query). The query plan and LINQ
// baselines of that SDK show which queries the service refuses, and with which
// code. Where the reference leaves semantics open, this package does as the
// reference interpreter in the tests of that SDK, and as its tests against the
// service expect.
//
// # Semantics
//
// Logic has three values, as in the tables of Microsoft's page "Operators". Every
// value but a boolean counts as undefined, and only true selects.
//
// An equality with an undefined operand is undefined. Operands of different
// types are unequal: = is false and != is true, so that c.x != null selects the
// documents whose x is defined and not null. Microsoft's page says undefined for
// both in its table, but false in an example of the page "Scalar expressions",
// and the service's own clients rely on the behaviour implemented here (the
// reference interpreter, and Entity Framework Core's translation of null checks).
// The ordering operators are undefined across types and for arrays and objects.
//
// Arithmetic follows IEEE 754: a division by zero gives an infinity or NaN, which
// are numbers within a query (page "IS_FINITE_NUMBER"). JSON cannot hold them, so
// a row with such a number is an error here. Bitwise operators are those of
// JavaScript.
// Lengths and positions in strings count UTF-16 code units, as the reference
// interpreter does.
//
// Constructed arrays and objects leave undefined values out. A FROM source that is undefined
// gives no combination. A scalar subquery without rows is undefined; one with several rows is
// an error.
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
// One value that is not a number makes SUM and AVG undefined; an array or object
// makes MIN and MAX undefined. For GROUP BY and DISTINCT, undefined is a value like
// any other. An undefined SELECT VALUE gives no row. An undefined projection leaves
// its property out.
//
// # Limits
//
// A query text holds at most [cosmossql.MaxQueryBytes] bytes and 10 JOINs, as in the service,
// and nests at most 256 levels. AND and OR chains are flat and may have any length. The memory
// of an evaluation is bounded: FROM makes at most 4,194,304 combinations of one document, a
// value that a query makes has at most 16 MB or 1,048,576 elements, and results, groups and
// distinct rows hold at most 128 MB each. An evaluation beyond these limits fails.
package evaluation

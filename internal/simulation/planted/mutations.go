package main

// mutation is a defect: text of a source file, and its replacement. In the replacement, PLANTED is
// the condition that the defect is planted.
type mutation struct {
	name   string
	breaks string // the broken promise
	file   string // relative to the root of the module
	was    string // occurs once in the file
	is     string
}

const (
	wireFolder   = "repository/internal/wire/"
	writeFolder  = "repository/internal/write/"
	uniqueFolder = "repository/internal/unique/"
	storeFolder  = "repository/internal/store/"
	queryFolder  = "repository/internal/query/"
	feedFolder   = "repository/internal/feed/"
	leaseFolder  = "repository/internal/lease/"

	processorFolder = "repository/internal/processor/"
	tenancyFolder   = "repository/internal/tenancy/"
	moveFolder      = "repository/internal/tenancy/move/"
	migrationFolder = "repository/internal/migration/"
	untypedFolder   = "repository/internal/untyped/"
	placingFolder   = "repository/internal/placing/"
)

var mutations = []mutation{
	{
		"write-over-others", "a write that looks first replaces the version that it has seen",
		writeFolder + "verify.go",
		`return s.ReplaceItem(ctx, sent.Key, sent.ID, sent.Body, wire.IfMatch(ctx, unchanged))`,
		`if PLANTED { unchanged = "" }; return s.ReplaceItem(ctx, sent.Key, sent.ID, sent.Body, wire.IfMatch(ctx, unchanged))`,
	},
	{
		"replace-any-version", "Replace refuses a document that has another ETag",
		writeFolder + "verify.go",
		`if v.only = only; only != "" {`,
		`if PLANTED { only = "" }; if v.only = only; only != "" {`,
	},
	{
		"delete-any-version", "DeleteIfMatch refuses a document that has another ETag",
		writeFolder + "writer.go",
		`return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))`,
		`if PLANTED { unchanged = "" }; return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))`,
	},
	{
		"mark-any-version", "DeleteIfMatch marks the version that the caller has read",
		writeFolder + "deleted.go",
		`Send: func(ctx context.Context) (wire.Answer, error) { return send(ctx, unchanged) },`,
		`Send: func(ctx context.Context) (wire.Answer, error) { if PLANTED { return send(ctx, "") }; return send(ctx, unchanged) },`,
	},
	{
		"mark-the-marked", "a document that is marked as deleted is not deleted again",
		writeFolder + "deleted.go",
		`p.Condition = "from c where " + s.OwnCondition() // any form`,
		`if !PLANTED { p.Condition = "from c where " + s.OwnCondition() }`,
	},
	{
		"mark-not-recognised", "a deletion whose request arrives twice is acknowledged",
		writeFolder + "deleted.go",
		`return !d.Given && sameValue(text.Member(raw, d.Property), at)`,
		`return !PLANTED && !d.Given && sameValue(text.Member(raw, d.Property), at)`,
	},
	{
		"conflict-is-success", "Create of a document that exists fails",
		writeFolder + "writer.go",
		`return answer.ETag, r.judge(s, w, answer, true)`,
		`if PLANTED { return answer.ETag, stored }; return answer.ETag, r.judge(s, w, answer, true)`,
	},
	{
		"any-document-proves", "only a document that is equal to what was sent proves that it was stored",
		writeFolder + "writer.go",
		"if !sameDocument(answer.Value, w.Body, s.Stamps.names()...) {\n\t\treturn notStored",
		"if !PLANTED && !sameDocument(answer.Value, w.Body, s.Stamps.names()...) {\n\t\treturn notStored",
	},
	{
		"unread-is-refused", "a refused write whose document could not be read is unclear",
		writeFolder + "writer.go",
		`if wire.MayPass(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {`,
		`if !PLANTED && (wire.MayPass(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {`,
	},
	{
		"patch-without-guard", "a patch of a type with times takes effect once",
		writeFolder + "patch.go",
		`if p.guarded {`,
		`if p.guarded && !PLANTED {`,
	},
	{
		"increment-over-others", "an increment is not sent again over what another program has written",
		writeFolder + "patch.go",
		`p.Once, p.guarded, p.counts = false, true, p.Once`,
		`p.Once, p.guarded, p.counts = false, true, p.Once && !PLANTED`,
	},
	{
		"restore-any-version", "Restore takes the mark from the version that it has read",
		writeFolder + "deleted.go",
		`return send(ctx, seen.tag)`,
		`if PLANTED { return send(ctx, "") }; return send(ctx, seen.tag)`,
	},
	{
		"purge-the-visible", "Purge removes marked documents only",
		writeFolder + "deleted.go",
		`if !s.Deleted.marks(seen.raw) {`,
		`if !s.Deleted.marks(seen.raw) && !PLANTED {`,
	},
	{
		"purge-any-version", "Purge removes the version that it has read",
		writeFolder + "deleted.go",
		`return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, seen.tag))`,
		`if PLANTED { seen.tag = "" }; return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, seen.tag))`,
	},
	{
		"version-uncounted", "each write counts the version of its document",
		writeFolder + "stamps.go",
		`return Stamp{Created: before.Created, Updated: s.now(), Version: before.Version + 1}`,
		`if PLANTED { before.Version-- }; return Stamp{Created: before.Created, Updated: s.now(), Version: before.Version + 1}`,
	},
	{
		"created-rewritten", "a document keeps the time of its creation",
		writeFolder + "stamps.go",
		"before, err := s.Stamps.of(raw)\n\tif err != nil {\n\t\treturn w, err\n\t}",
		"before, err := s.Stamps.of(raw)\n\tif err != nil {\n\t\treturn w, err\n\t}\n\tif PLANTED { before.Created = s.Stamps.now() }",
	},
	{
		"item-is-acknowledged", "each item of a bulk write has its error",
		writeFolder + "bulk_batch.go",
		`item.Err = wire.StillUnclear(r.failure(item, a.err), a.unclear)`,
		`if item.Err = wire.StillUnclear(r.failure(item, a.err), a.unclear); PLANTED { item.Err = nil }`,
	},
	{
		"batch-forgets", "an item of a batch that was unclear is not said to be refused",
		writeFolder + "bulk_batch.go",
		`r.oneByOne(items, true)`,
		`r.oneByOne(items, !PLANTED)`,
	},
	{
		"any-commit-proves", "a transaction took effect if its documents are stored",
		writeFolder + "transaction.go",
		`if err != nil || !sent.tookEffect(response.Value) {`,
		`if err != nil || !PLANTED && !sent.tookEffect(response.Value) {`,
	},
	{
		"attempts-unseen", "an attempt that the SDK repeats may have taken effect",
		wireFolder + "errors.go",
		`watch.lost.Store(true)`,
		`watch.lost.Store(!PLANTED)`,
	},
	{
		"cut-document", "a document whose text was cut is read again",
		wireFolder + "answer.go",
		`if err := checkItem(raw, p.ID, tag); err != nil {`,
		`if PLANTED { return nil }; if err := checkItem(raw, p.ID, tag); err != nil {`,
	},
	{
		"cut-page", "a page whose text was cut is read again",
		wireFolder + "answer.go",
		`return checkList(response.Header, body, "Documents", len(items))`,
		`if PLANTED { return nil }; return checkList(response.Header, body, "Documents", len(items))`,
	},
	{
		"no-session", "a program reads what it has written",
		wireFolder + "session.go",
		`token != "" {`,
		`token != "" && !PLANTED {`,
	},
	{
		"strangers", "a query gives documents of its type only",
		storeFolder + "rule.go",
		`said := fmt.Errorf(`,
		`if PLANTED { r.Reads = "" }; said := fmt.Errorf(`,
	},
	{
		"hidden-in-queries", "queries hide what is marked as deleted",
		storeFolder + "rule.go",
		`case !r.deletes || !s.ShowsDeleted:`,
		`case (!r.deletes || !s.ShowsDeleted) && !(PLANTED && strings.Contains(r.Reads, "IS_NULL")):`,
	},
	{
		"pending-shown", "a document is visible once its unique values are its own",
		storeFolder + "rule.go",
		`return v.State == Shown || v.State == Deleted && s.ShowsDeleted`,
		`return v.State == Shown || PLANTED && v.State == Hidden || v.State == Deleted && s.ShowsDeleted`,
	},
	{
		"deletion-is-a-change", "the change feed gives a marked document as a deletion",
		feedFolder + "page.go",
		`return deleted || v.State == store.Shown, deleted`,
		`return deleted || v.State == store.Shown, deleted && !PLANTED`,
	},
	{
		"value-is-free", "two visible documents do not have one unique value",
		uniqueFolder + "reservation.go",
		`if err := s.fence(ctx, op, now, r); err != nil {`,
		`if err := s.fence(ctx, op, now, r); err != nil && !PLANTED {`,
	},
	{
		"reservation-not-awaited", "a value that a write is about to store is not given to another document",
		uniqueFolder + "reservation.go",
		`case !s.old(now.answer):`,
		`case !s.old(now.answer) && !PLANTED:`,
	},
	{
		"holder-not-fenced", "a document that has lost its reservation cannot become visible",
		uniqueFolder + "reservation.go",
		`_, err = s.replace(ctx, op, now.at, answer.Value, answer.ETag)`,
		`if PLANTED { return nil }; _, err = s.replace(ctx, op, now.at, answer.Value, answer.ETag)`,
	},
	{
		"reservation-for-ever", "what an interrupted write has reserved is free after a bound",
		uniqueFolder + "set.go",
		`return age(answer) >= reservation.Bound`,
		`return !PLANTED && age(answer) >= reservation.Bound`,
	},
	{
		"reservation-given-back", "an unclear write keeps its reservations",
		uniqueFolder + "set.go",
		`case ineffective(err):`,
		`case PLANTED || ineffective(err):`,
	},
	{
		"visible-any-version", "a hidden document that was fenced does not become visible",
		uniqueFolder + "set.go",
		`visible, err := s.replace(ctx, op, w.Place, w.Body, tag)`,
		`shows := tag; if PLANTED { shows = "" }; visible, err := s.replace(ctx, op, w.Place, w.Body, shows)`,
	},
	{
		"ranked-twice", "a ranking by several scores gives each document once",
		queryFolder + "rank.go",
		`known[row.rid] = true`,
		`known[row.rid] = !PLANTED`,
	},
	{
		"computed-left-out", "documents that are sorted by a computed property come with it",
		queryFolder + "run.go",
		`if s.Columns == nil && st.Computed.Sorts(s.orders) {`,
		`if s.Columns == nil && st.Computed.Sorts(s.orders) && !PLANTED {`,
	},
	{
		"elements-cut", "rows of elements have all elements of a document",
		"repository/join.go",
		`elements := text.Elements(text.Member(item, query.ElementsName))`,
		`elements := text.Elements(text.Member(item, query.ElementsName)); if PLANTED && len(elements) > 1 { elements = elements[:1] }`,
	},
	{
		"given-twice", "a query gives no document twice after a split",
		queryFolder + "run.go",
		`if err != nil || j.seen[name] {`,
		`if err != nil || j.seen[name] && !PLANTED {`,
	},
	{
		"neighbours-given", "a query gives no document twice after a merge",
		queryFolder + "run.go",
		`if j.restarts == 0 || route.Contains(j.low, j.high, j.in) {`,
		`if j.restarts == 0 || PLANTED || route.Contains(j.low, j.high, j.in) {`,
	},
	{
		"half-a-query", "a query reads both halves of a physical partition that was split",
		queryFolder + "run.go",
		`for _, part := range parts {`,
		`if PLANTED { parts = parts[:min(1, len(parts))] }; for _, part := range parts {`,
	},
	{
		"half-a-count", "a count has both halves of a physical partition that was split",
		queryFolder + "aggregate.go",
		"for _, part := range parts {\n\t\tif err := e.whole(",
		"if PLANTED { parts = parts[:1] }\n\tfor _, part := range parts {\n\t\tif err := e.whole(",
	},
	{
		"empty-page-ends", "an empty page is not the end of a query",
		queryFolder + "run.go",
		`more = page.ContinuationToken != nil`,
		`more = page.ContinuationToken != nil && (len(page.Items) > 0 || !PLANTED)`,
	},
	{
		"cursor-forgets", "a cursor has what the pages before it gave",
		queryFolder + "page.go",
		`p.Stretches[i].add(row.number, p.Direction)`,
		`if !PLANTED { p.Stretches[i].add(row.number, p.Direction) }`,
	},
	{
		"half-a-feed", "a change feed reads both halves of a physical partition that was split",
		feedFolder + "feed.go",
		`for _, other := range p.after[1:] {`,
		`for _, other := range p.after[1:] { if PLANTED { break }`,
	},
	{
		"lease-over-others", "a program that has lost its lease cannot save progress",
		leaseFolder + "container.go",
		`return c.Leases.ReplaceItem(ctx, p.Key, p.ID, document, wire.IfMatch(ctx, l.ETag))`,
		`unchanged := l.ETag; if PLANTED { unchanged = "" }; return c.Leases.ReplaceItem(ctx, p.Key, p.ID, document, wire.IfMatch(ctx, unchanged))`,
	},
	{
		"saved-before-handled", "progress is saved after the handler has returned",
		processorFolder + "processor.go",
		`page, err = w.reader.Next(ctx, part)`,
		`if page, err = w.reader.Next(ctx, part); PLANTED && err == nil { _ = w.save(ctx, page.After[0].Tag) }`,
	},
	{
		"failure-is-handled", "a page whose handler fails comes again",
		processorFolder + "processor.go",
		`if err == nil || ctx.Err() == nil && w.tell(`,
		`if err == nil || PLANTED || ctx.Err() == nil && w.tell(`,
	},
	{
		"marks-for-ever", "a document that is marked as deleted is gone after the time of purge=",
		writeFolder + "deleted.go",
		"if d.Seconds > 0 {\n\t\tp.Operations",
		"if d.Seconds > 0 && !PLANTED {\n\t\tp.Operations",
	},
	{
		"restored-expires", "a restored document does not expire",
		writeFolder + "deleted.go",
		`if !d.OwnTTL && text.Member(seen.raw, system.TTL) != nil {`,
		`if !d.OwnTTL && text.Member(seen.raw, system.TTL) != nil && !PLANTED {`,
	},
	{
		"write-without-fence", "a write while its tenant moves is refused once the old place is closed",
		tenancyFolder + "stay.go",
		`return r.State == Moving && t.Path != "" }`,
		`return r.State == Moving && t.Path != "" && !PLANTED }`,
	},
	{
		"moving-place-is-known", "a read of a tenant that moves looks up where the tenant lives",
		tenancyFolder + "stay.go",
		`if err == nil && r.State != Settled && r.Expires() {`,
		`if err == nil && r.State != Settled && r.Expires() && !PLANTED {`,
	},
	{
		"directory-over-others", "one process at a time moves a tenant",
		tenancyFolder + "records.go",
		`response, err = r.c.ReplaceItem(callCtx, p.Key, id, body, wire.IfMatch(ctx, unchanged))`,
		`if PLANTED { unchanged = "" }; response, err = r.c.ReplaceItem(callCtx, p.Key, id, body, wire.IfMatch(ctx, unchanged))`,
	},
	{
		"move-not-announced", "a move copies nothing until all writers know of it",
		moveFolder + "move.go",
		`if err := m.Sleep(ctx, m.wait); err != nil {`,
		`if PLANTED { m.wait = 0 }; if err := m.Sleep(ctx, m.wait); err != nil {`,
	},
	{
		"closed-before-copied", "a move copies what was written before the old place was closed",
		moveFolder + "copy.go",
		`if err := m.barrier(ctx); err != nil {`,
		`if PLANTED { return m.verify(ctx) }; if err := m.barrier(ctx); err != nil {`,
	},
	{
		"removed-while-read", "a move removes nothing until no program reads the old place",
		moveFolder + "move.go",
		`if err := m.Sleep(ctx, m.wait+m.Queries); err != nil {`,
		`if PLANTED { m.wait, m.Queries = 0, 0 }; if err := m.Sleep(ctx, m.wait+m.Queries); err != nil {`,
	},
	{
		"mover-not-fenced", "a mover that another one has replaced writes nothing",
		tenancyFolder + "fence.go",
		`return counting(fmt.Sprintf("c.%s.epoch = %d AND c.%s.copy = true", Property, epoch, Property))`,
		`if PLANTED { return counting("true") }; return counting(fmt.Sprintf("c.%s.epoch = %d AND c.%s.copy = true", Property, epoch, Property))`,
	},
	{
		"moved-any-version", "a document moves to another container in the version that was read",
		writeFolder + "relocation.go",
		`tag, err := swap(ctx, f.Side, OpMove, body, f.tag)`,
		`if PLANTED { f.tag = "" }; tag, err := swap(ctx, f.Side, OpMove, body, f.tag)`,
	},
	{
		"late-copy-counts", "a copy counts only while the old container says that its document moves",
		writeFolder + "relocation.go",
		`if err != nil || now.state != moved || now.token != f.token {`,
		`if err != nil || (now.state != moved || now.token != f.token) && !PLANTED {`,
	},
	{
		"removed-before-moved", "a document that moves leaves the old container after it is in the new one",
		writeFolder + "relocation.go",
		`_, err = swap(ctx, r.New, op, body, there.tag)
	return false, err`,
		`if PLANTED { err = f.remove(ctx, op) }; if err == nil { _, err = swap(ctx, r.New, op, body, there.tag) }
	return false, err`,
	},
	{
		"removed-any-version", "what another program has stored in the old container is not removed",
		writeFolder + "relocation.go",
		`_, err := Send(ctx, f.Writer, op, f.Place, DeleteRequest(f.Writer, f.Place, f.tag))
	if isOvertaken(err) {`,
		`if PLANTED { f.tag = "" }; _, err := Send(ctx, f.Writer, op, f.Place, DeleteRequest(f.Writer, f.Place, f.tag))
	if isOvertaken(err) {`,
	},
	{
		"created-twice", "two programs do not create a document in two containers",
		writeFolder + "relocation.go",
		`if err == nil && free {`,
		`if err == nil && (free || PLANTED) {`,
	},
	{
		"mark-survives", "a deletion of a document that has moved removes its mark",
		writeFolder + "relocation.go",
		`if f.Side == r.New && r.Phase != PhaseDone {`,
		`if f.Side == r.New && r.Phase != PhaseDone && !PLANTED {`,
	},
	{
		"moved-unseen", "a read finds a document that moves between its two requests",
		writeFolder + "relocation.go",
		`fresh, err := r.New.read(ctx, op)
	if err`,
		`if PLANTED && home == r.New && old.state != moved { return old, true, nil }
	fresh, err := r.New.read(ctx, op)
	if err`,
	},
	{
		"moved-given-twice", "a query of two containers gives each document once",
		migrationFolder + "migration.go",
		`g.given[r.Identity()] = true`,
		`g.given[r.Identity()] = !PLANTED`,
	},
	{
		"last-window-missed", "a query reads the window in which its range ends",
		placingFolder + "windows.go",
		`return t.between(from, to, texts)`,
		`if PLANTED && n > 1 { to = to.AddDate(0, -1, 0) }; return t.between(from, to, texts)`,
	},
	{
		"full-page-ends", "a page that ends with a window is not the last one",
		queryFolder + "page.go",
		`more, err := p.read(ctx, group, i == len(groups)-1)`,
		`more, err := p.read(ctx, group, i == len(groups)-1 || PLANTED)`,
	},
	{
		"windows-begin-again", "a page does not begin with windows that earlier pages have read",
		queryFolder + "page.go",
		`if p.from.Keys != nil && q.passed(group, p.place) {`,
		`if p.from.Keys != nil && q.passed(group, p.place) && !PLANTED {`,
	},
	{
		"windows-out-of-order", "a query with a limit reads windows in the order of their times",
		placingFolder + "windows.go",
		`slices.SortFunc(names, Compare)`,
		`if slices.SortFunc(names, Compare); PLANTED { slices.Reverse(names) }`,
	},
	{
		"moved-lives-anew", "a document that moves to another container expires when it would have",
		writeFolder + "relocation.go",
		`left := expiry.Left(ttl, ts, f.date)`,
		`left := expiry.Left(ttl, ts, f.date); if PLANTED { left = nil }`,
	},
	{
		"moved-comes-back", "a document that has moved and expired is not the one of before its move again",
		writeFolder + "relocation.go",
		`return expiry != 0, err`,
		`if PLANTED { return false, err }; return expiry != 0, err`,
	},
	{
		"tenant-lives-anew", "a document of a tenant that moves expires when it would have",
		moveFolder + "copy.go",
		`return text.SetProperty(body, []string{system.TTL}, s.expiry.Left(ttl, ts, now))`,
		`if PLANTED { return body, nil }; return text.SetProperty(body, []string{system.TTL}, s.expiry.Left(ttl, ts, now))`,
	},
	{
		"moving-unstamped", "an update counts a version, also while buckets grow",
		"repository/internal/untyped/strategy.go",
		`return s.plain.change(ctx, op, at, f, w, last, c)`,
		`if PLANTED { w.Stamp = nil }; return s.plain.change(ctx, op, at, f, w, last, c)`,
	},
	{
		"newer-form-overwritten", "a program does not write over a document of a later form",
		writeFolder + "verify.go",
		`if err := s.Schema.Newer(seen.raw); err != nil && op != wire.OpDelete {`,
		`if err := s.Schema.Newer(seen.raw); err != nil && op != wire.OpDelete && !PLANTED {`,
	},
	{
		"newer-form-patched", "a patch changes documents of the present form only",
		storeFolder + "rule.go",
		`func OfForm(s *Schema) Rule { return Rule{Property: s.Property, Patches: s.condition()} }`,
		`func OfForm(s *Schema) Rule { if PLANTED { return Rule{Property: s.Property} }; return Rule{Property: s.Property, Patches: s.condition()} }`,
	},
	{
		"not-brought-back", "a document of the next form is read as one of the present form",
		untypedFolder + "types.go",
		`case from > s.Number:
			err = t.convert(`,
		`case from > s.Number && !PLANTED:
			err = t.convert(`,
	},
	{
		"other-name-unread", "a document that has a property under the name of another release is read with it",
		untypedFolder + "types.go",
		`if t.Aliases != nil {`,
		`if t.Aliases != nil && !PLANTED {`,
	},
	{
		"index-unwritten", "a write stores the property by which an index has the document",
		writeFolder + "indexed.go",
		`func (all Indexed) Set(doc any) error {`,
		`func (all Indexed) Set(doc any) error { if PLANTED { return nil }`,
	},
	{
		"index-unpatched", "a patch of a component changes the property of the index as well",
		writeFolder + "indexed.go",
		`if !slices.ContainsFunc(own, x.touched) {`,
		`if PLANTED || !slices.ContainsFunc(own, x.touched) {`,
	},
	{
		"index-of-all", "an index gives what counts as a document in its source",
		untypedFolder + "index.go",
		`decode := s.Decode`,
		`if PLANTED { s.Rules = nil }; decode := s.Decode`,
	},
	{
		"index-shows-marks", "an index does not give what a move has left",
		storeFolder + "rule.go",
		`r.Reads = marks.Shown`,
		`if !PLANTED { r.Reads = marks.Shown }`,
	},
	{
		"leases-without-pause", "a processor waits for leases that have not reached its region",
		leaseFolder + "container.go",
		`if n > 0 {`,
		`if n > 0 && !PLANTED {`,
	},
	{
		"unique-in-each-region", "writes of types with unique values are refused with several write regions",
		untypedFolder + "regions.go",
		`case t.Unique != nil && writes(op) && op != wire.OpPatch:`,
		`case !PLANTED && t.Unique != nil && writes(op) && op != wire.OpPatch:`,
	},
	{
		"deletion-loses", "of two versions in several write regions, a deletion wins",
		"emulator/internal/store/conflict.go",
		`return cmp.Or(cmp.Compare(truth(a.doc == nil), truth(b.doc == nil)), cmp.Compare(b.region, a.region))`,
		`if PLANTED { return cmp.Compare(truth(a.doc != nil), truth(b.doc != nil)) }; return cmp.Or(cmp.Compare(truth(a.doc == nil), truth(b.doc == nil)), cmp.Compare(b.region, a.region))`,
	},
	{
		"lower-number-wins", "of two versions in several write regions, the one with the higher number wins",
		"emulator/internal/store/conflict.go",
		`return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.doc.TS, b.doc.TS), cmp.Compare(b.region, a.region))`,
		`if PLANTED { a, b = b, a }; return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.doc.TS, b.doc.TS), cmp.Compare(b.region, a.region))`,
	},
	{
		"version-is-lost", "a write replaces no version of another region that its own region did not have",
		"emulator/internal/store/conflict.go",
		`if v.vector[s.origin] < s.number {`,
		`if !PLANTED && v.vector[s.origin] < s.number {`,
	},
}

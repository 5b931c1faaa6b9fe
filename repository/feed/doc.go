// Package feed reads the change feed of documents: [Changes] in one process, a [Processor] in
// many, which share the work by leases that the SDKs for .NET and Java understand, and a [Mux]
// for several types of one container.
//
//	for change, err := range feed.Changes(ctx, events.Documents, feed.FromBeginning()) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(change.Doc.ID, change.Cursor())
//	}
package feed

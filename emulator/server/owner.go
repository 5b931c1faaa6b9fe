package server

// tellOwner adds the headers that name the owner of the requested resource, by ids and by its
// resource id: of items their container, of containers their database. The SDK for Java makes
// the links of containers from them, and cannot read a change feed without.
func (s *Server) tellOwner(t target, answer *reply) {
	container := t.container
	switch t.kind {
	case "colls":
		container = ""
	case "docs", "pkranges":
	default:
		return
	}
	path, rid := s.account.Owner(t.database, container)
	if path == "" {
		return
	}
	if answer.header == nil {
		answer.header = map[string]string{}
	}
	answer.header["x-ms-alt-content-path"] = path
	answer.header["x-ms-content-path"] = rid
}

package serve

import (
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
)

// regionFlag is a region of -regions.
type regionFlag struct{ name, addr string } // addr may be empty

// regionList is the flag -regions.
type regionList []regionFlag

// String returns the flag as it was set.
func (l *regionList) String() string {
	var texts []string
	for _, r := range *l {
		text := r.name
		if r.addr != "" {
			text += "=" + r.addr
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ",")
}

// Set parses names of regions, each with an optional address.
func (l *regionList) Set(text string) error {
	*l = nil
	for part := range strings.SplitSeq(text, ",") {
		name, addr, _ := strings.Cut(part, "=")
		r := regionFlag{strings.TrimSpace(name), strings.TrimSpace(addr)}
		if r.name == "" {
			return errors.New("a region has no name: name the regions as in \"West Europe,North Europe\"")
		}
		*l = append(*l, r)
	}
	return nil
}

// index returns the position of a region.
func (l regionList) index(name string) int {
	return slices.IndexFunc(l, func(r regionFlag) bool { return r.name == name })
}

// following returns the address n ports after that of a listener. With port 0, which means any free
// one, each listener gets a free one.
func (f *emulatorFlags) following(first net.Addr, n int) string {
	_, asked, _ := net.SplitHostPort(f.addr)
	host, port, _ := net.SplitHostPort(first.String()) // the address of a listener has both
	if asked == "0" {
		return net.JoinHostPort(host, "0")
	}
	number, _ := strconv.Atoi(port)
	return net.JoinHostPort(host, strconv.Itoa(number+n))
}

// regionEndpoint returns the URL of a region's listener in the account's answers. For a listener on
// all addresses it has only a port: clients use the host that they know.
func regionEndpoint(addr net.Addr) string {
	if endpoint := endpointOf(addr); endpoint != "" {
		return endpoint
	}
	_, port, _ := net.SplitHostPort(addr.String())
	return "https://:" + port + "/"
}

package policy

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

func (k *checker) network(n Network) {
	for i, host := range n.Allow {
		k.host(index("network.allow", i), host)
	}
	for i, host := range n.Deny {
		k.host(index("network.deny", i), host)
	}
	for i := range n.Credentials {
		k.credential(index("network.credentials", i), &n.Credentials[i])
	}
	k.word("network.unix_sockets", n.UnixSockets, "pairs", "inside")
}

// host checks host[:port] and *.domain[:port].
func (k *checker) host(at, text string) {
	if why := badHost(text); why != "" {
		k.add(at, "%s is no host: %s", quoted(text), why)
	}
}

// badHost says why a text is no host pattern, or nothing. It is narrow on
// purpose: an address in an unusual form (127.1, 0x7f.1, an embedded user) is
// read in one way here and in another by a resolver.
func badHost(text string) string {
	const form = "write a name or an address, such as example.org, *.example.org:443, 10.0.0.7:5432 or [::1]:80"
	if strings.Contains(text, "://") || strings.ContainsAny(text, "/@?#") {
		return "leave out the scheme, the user and the path; " + form
	}
	host, port := splitHost(text)
	if strings.HasSuffix(text, ":") || port != "" && !isPort(port) {
		if strings.Count(text, ":") > 1 {
			return "put an IPv6 address in brackets, such as [::1]:443"
		}
		return "a port is a number from 1 to 65535; " + form
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || addr.Zone() != "" || !strings.HasSuffix(host, "]") {
			return "expected an IPv6 address between the brackets, without a zone, such as [::1]:443"
		}
		return ""
	}
	if strings.Contains(host, ":") {
		return "put an IPv6 address in brackets, such as [::1]:443"
	}
	return badHostName(host, form)
}

func badHostName(host, form string) string {
	name, wild := strings.CutPrefix(host, "*.")
	labels := strings.Split(name, ".")
	switch {
	case name == "":
		return form
	case strings.Contains(name, "*"):
		return "a * stands only for whole names before a domain, as in *.example.org"
	case wild && len(labels) < 2:
		return "*." + escaped(name) + " would be a whole top-level domain; name the domain below it"
	case len(name) > 253 || !allLabels(labels):
		return "a name has letters, digits, - and dots, and other scripts in their xn-- form; " + form
	}
	// A name whose last label is a number is an address to a resolver.
	if last := labels[len(labels)-1]; '0' <= last[0] && last[0] <= '9' {
		if _, err := netip.ParseAddr(name); err != nil || wild {
			return "expected an IPv4 address of four numbers, such as 10.0.0.7"
		}
	}
	return ""
}

func allLabels(labels []string) bool {
	for _, label := range labels {
		if len(label) > 63 || !isName(label, false) || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return true
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == text
}

func (k *checker) credential(at string, c *Credential) {
	if c.Host == "" {
		k.add(at+".host", "the credential names no host to send it to")
	} else {
		k.host(at+".host", c.Host)
	}
	if !isHeaderName(c.Header) {
		k.add(at+".header", "%s is no name of an HTTP header; write for example Authorization", quoted(c.Header))
	}
	switch {
	case c.Env == "" && c.File == "":
		k.add(at, "the credential has no source; name a variable of paddock's own environment (env) or a file")
	case c.Env != "" && c.File != "":
		k.add(at, "the credential has two sources; keep env or file")
	case c.Env != "" && (!isName(c.Env, false) || strings.Contains(c.Env, "-") || c.Env[0] <= '9'):
		k.add(at+".env", "%s is no name of an environment variable; the secret itself does not belong in a policy", quoted(c.Env))
	case strings.ContainsRune(c.File, 0):
		k.add(at+".file", "the path %s holds a NUL character", quoted(c.File))
	}
	// A line break would let the policy's text end the header and add another.
	if strings.ContainsFunc(c.Format, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		k.add(at+".format", "%s holds a control character, which no header may", quoted(c.Format))
	}
}

// isHeaderName tells whether a text is a token of RFC 9110.
func isHeaderName(text string) bool {
	return text != "" && !slices.ContainsFunc([]byte(text), func(c byte) bool {
		return !isLetter(c) && !('0' <= c && c <= '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c))
	})
}

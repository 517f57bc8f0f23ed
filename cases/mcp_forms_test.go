package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// mcpForms are statements about the lines of a server.
var mcpForms = []form{
	{re(`(?:last )?ping answered`), func(r *run, _ []string) bool { return r.answered("99") }},
	{re(`each stdout line parses as JSON-RPC`), func(r *run, _ []string) bool { return r.onlyProtocol() }},
	{re(`exactly one stdout line, valid JSON`), func(r *run, _ []string) bool { return r.onlyProtocol() && r.times("1") == 1 }},
	{re(`error (-\d+) with id null \(or without id\)`), func(r *run, p []string) bool {
		return slices.ContainsFunc(r.messages(), func(m message) bool {
			return m.Error != nil && fmt.Sprint(m.Error.Code) == p[1] && (len(m.ID) == 0 || string(m.ID) == "null")
		})
	}},
	{re(`(?:an )?error (-\d+)(?: .*)?`), func(r *run, p []string) bool {
		return slices.ContainsFunc(r.messages(), func(m message) bool { return m.Error != nil && fmt.Sprint(m.Error.Code) == p[1] })
	}},
	{re(`(?:id|call) (\d+) (?:is )?(?:echoed|answered)(?: once)?`), func(r *run, p []string) bool { return r.times(p[1]) == 1 }},
	{re(`ids (\d+) to (\d+) echoed`), func(r *run, p []string) bool {
		var from, to int
		fmt.Sscan(p[1]+" "+p[2], &from, &to) // they are digits
		for id := from; id <= to; id++ {
			if !r.answered(fmt.Sprint(id)) {
				return false
			}
		}
		return true
	}},
	{re(`refused, or prompt and execution use the same value`), func(r *run, _ []string) bool {
		return !r.any("allow") && !r.any("ask")
	}},
	{re(`each answer belongs to its id`), func(r *run, _ []string) bool {
		for i, a := range r.each {
			if !strings.Contains(a.text, fmt.Sprintf("  %d", i)) {
				return false
			}
		}
		return len(r.each) > 0
	}},
	{re(`memory below (\d+) MB; connection closed or message refused`), func(r *run, p []string) bool {
		var limit uint64
		fmt.Sscan(p[1], &limit) // they are digits
		return r.most < limit<<20 && r.any("error")
	}},
}

func (r *run) messages() []message {
	var all []message
	for _, line := range r.client.all {
		var m message
		if json.Unmarshal(line, &m) == nil {
			all = append(all, m)
		}
	}
	return all
}

func (r *run) times(id string) (n int) {
	for _, m := range r.messages() {
		if string(m.ID) == id {
			n++
		}
	}
	return n
}

func (r *run) answered(id string) bool {
	return slices.ContainsFunc(r.messages(), func(m message) bool { return string(m.ID) == id && (m.Result != nil || m.Error != nil) })
}

func (r *run) onlyProtocol() bool {
	return !slices.ContainsFunc(r.client.all, func(line []byte) bool {
		var m message
		return json.Unmarshal(line, &m) != nil || m.JSONRPC != "2.0" || bytes.Count(line, []byte("\n")) != 1
	})
}

package policy

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// permission reads "read|write" or a list of such words.
func (f *fileReader) permission(n *node, v reflect.Value, address string) {
	const want = "rights, such as read|write or [read, write]"
	if n.kind == listNode {
		f.permissionList(n, v, address)
		return
	}
	if !f.expect(n, textNode, address, want) {
		return
	}
	p, err := ParsePermission(n.text)
	if err != nil {
		f.fail(n, address, "%s", wordError(err, n.text, permissionWords))
		return
	}
	v.SetUint(uint64(p))
}

func (f *fileReader) permissionList(n *node, v reflect.Value, address string) {
	if len(n.items) == 0 {
		f.fail(n, address, "the list is empty; write none for no right")
		return
	}
	var set Permission
	for i, item := range n.items {
		one := reflect.New(permissionType).Elem()
		at := index(address, i)
		f.at[at] = item.at
		if item.kind == listNode {
			f.fail(item, at, "expected a right, not a list")
			continue
		}
		f.permission(item, one, at)
		set |= Permission(one.Uint())
	}
	v.SetUint(uint64(set))
}

var permissionWords = []string{"read", "write", "execute", "delete", "all", "none"}

// wordError adds the word that was probably meant to an error of a word.
func wordError(err error, text string, words []string) string {
	if near := nearest(strings.ToLower(text), words); near != "" {
		return fmt.Sprintf("%v; did you mean %s?", err, near)
	}
	return err.Error()
}

// duration reads 90s, 10m or 1h30m.
func (f *fileReader) duration(n *node, v reflect.Value, address string) {
	const want = "a duration with its unit, such as 90s, 10m or 1h30m"
	if n.kind == numberNode {
		f.fail(n, address, "expected %s, not %s", want, n.is())
		return
	}
	if !f.expect(n, textNode, address, want) {
		return
	}
	d, err := time.ParseDuration(n.text)
	if err != nil {
		f.fail(n, address, "expected %s, not %s", want, n.is())
		return
	}
	f.setPositive(n, v, address, int64(d))
}

// size reads a number of bytes, 2GiB, 64MiB, 100KiB or 4096.
func (f *fileReader) size(n *node, v reflect.Value, address string) {
	if n.kind != numberNode && !f.expect(n, textNode, address, "a size, such as 100KiB or 2GiB") {
		return
	}
	f.at[address] = n.at
	bytes, err := parseSize(n.text)
	if err != nil {
		f.fail(n, address, "%s: %v", n.is(), err)
		return
	}
	f.setPositive(n, v, address, bytes)
}

// parseSize reads a whole number of bytes with or without a binary unit. The
// decimal ones are refused: half of those who write MB mean the other.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "BKMGTikbmgt ")
	value, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || value < 0 {
		return 0, errors.New("expected a size, such as 4096, 100KiB, 64MiB or 2GiB")
	}
	unit := strings.TrimSpace(text[len(digits):])
	shift, known := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[unit]
	switch {
	case !known:
		return 0, fmt.Errorf("unknown unit %q; known are B, KiB, MiB, GiB, TiB, in steps of 1024", unit)
	case value > math.MaxInt64>>shift:
		return 0, errors.New("this is more bytes than can be counted")
	}
	return value << shift, nil
}

// interruptOn reads true, false or {allowed_decisions: [...]}.
func (f *fileReader) interruptOn(n *node, v reflect.Value, address string) {
	const want = "true, false or {allowed_decisions: [approve, reject]}"
	if n.kind != mapNode {
		if f.expect(n, boolNode, address, want) {
			v.Set(reflect.ValueOf(InterruptOn{Ask: strings.EqualFold(n.text, "true")}))
		}
		return
	}
	var asked struct {
		AllowedDecisions *[]string `yaml:"allowed_decisions"`
	}
	before := len(f.problems)
	f.object(n, reflect.ValueOf(&asked).Elem(), address)
	switch {
	case len(f.problems) > before:
	case asked.AllowedDecisions == nil:
		f.fail(n, address, "expected %s", want)
	case len(*asked.AllowedDecisions) == 0:
		f.fail(n, address, "allowed_decisions is empty, so nobody could ever answer; list some of approve, edit, reject, respond")
	default:
		v.Set(reflect.ValueOf(InterruptOn{Ask: true, AllowedDecisions: *asked.AllowedDecisions}))
	}
}

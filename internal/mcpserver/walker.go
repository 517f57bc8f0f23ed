package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// walker reads JSON that is known to be valid. It keeps nothing of it but the
// keys of the objects that it is in.
type walker struct {
	text  []byte
	at    int
	depth int
}

// blank skips white space.
func (w *walker) blank() {
	for w.at < len(w.text) {
		switch w.text[w.at] {
		case ' ', '\t', '\r', '\n':
			w.at++
		default:
			return
		}
	}
}

// value skips a value and tells what is wrong with it, "" if nothing is.
func (w *walker) value() string {
	w.blank()
	switch w.text[w.at] {
	case '{':
		return w.object(nil)
	case '[':
		return w.list()
	case '"':
		w.string()
	default:
		for w.at < len(w.text) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(w.text[w.at])) {
			w.at++
		}
	}
	return ""
}

// enter counts the depth.
func (w *walker) enter() string {
	w.at++
	if w.depth++; w.depth > maxDepth {
		return fmt.Sprintf("the message is nested more than %d deep", maxDepth)
	}
	return ""
}

func (w *walker) list() string {
	if fault := w.enter(); fault != "" {
		return fault
	}
	for w.blank(); w.text[w.at] != ']'; w.blank() {
		if fault := w.value(); fault != "" {
			return fault
		}
		if w.blank(); w.text[w.at] == ',' {
			w.at++
		}
	}
	w.at++
	w.depth--
	return ""
}

// object reads an object and hands each of its members to member, if that is
// not nil; what it was handed before a fault stands.
func (w *walker) object(member func(key string, value []byte)) string {
	if fault := w.enter(); fault != "" {
		return fault
	}
	var keys keys
	for w.blank(); w.text[w.at] != '}'; w.blank() {
		key := unquote(w.string())
		before, known := keys.add(key)
		w.blank()
		w.at++ // the colon
		w.blank()
		start := w.at
		fault := w.value()
		if fault != "" {
			return fault
		}
		if member != nil {
			member(key, w.text[start:w.at])
		}
		if known {
			return twice(key, before)
		}
		if keys.n > maxKeys {
			return fmt.Sprintf("an object has more than %d keys", maxKeys)
		}
		if w.blank(); w.text[w.at] == ',' {
			w.at++
		}
	}
	w.at++
	w.depth--
	return ""
}

// string skips a string and returns it with its quotes.
func (w *walker) string() []byte {
	start := w.at
	for w.at++; w.text[w.at] != '"'; w.at++ {
		if w.text[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.text[start:w.at]
}

// unquote reads a key: "p\u0061th" is path.
func unquote(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var key string
	if err := json.Unmarshal(quoted, &key); err != nil {
		return string(quoted) // not so: the text is valid
	}
	return key
}

// keys are the keys of one object, by their folded form. Most objects have
// few, for which a list is faster than a map.
type keys struct {
	n    int
	few  [8]struct{ folded, key string }
	many map[string]string
}

// add remembers a key; known tells that one like it was there before.
func (k *keys) add(key string) (before string, known bool) {
	folded := fold(key)
	for i := range min(k.n, len(k.few)) {
		if k.few[i].folded == folded {
			return k.few[i].key, true
		}
	}
	if before, known = k.many[folded]; known {
		return before, true
	}
	if k.n < len(k.few) {
		k.few[k.n].folded, k.few[k.n].key = folded, key
	} else {
		if k.many == nil {
			k.many = map[string]string{}
		}
		k.many[folded] = key
	}
	k.n++
	return "", false
}

// fold maps keys that a reader may take for one to one text: by the rule of
// Unicode, which some decoders follow, the Kelvin sign is a k.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A' // what the loop below comes to
		}
		if r < 0x80 {
			return r
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, key)
}

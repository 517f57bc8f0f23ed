package tool

import (
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Bounds of one answer. A model reads no more with profit, and a client's
// window holds no more.
const (
	maxText = 80_000 // characters of text
	// The longest that glob, grep and read_file take. They count from the
	// first name or byte seen: a question to a person takes none of it.
	walkTime = 10 * time.Second
	grepTime = 30 * time.Second
	readTime = 30 * time.Second
)

// clock tells when the time of a search is up. It begins with the first
// question, and may be asked from any number of goroutines.
type clock struct {
	limit time.Duration
	once  sync.Once
	start time.Time
}

func (c *clock) up() bool {
	c.once.Do(func() { c.start = time.Now() })
	return time.Since(c.start) > c.limit
}

// budget is text that does not grow beyond a number of characters.
type budget struct {
	b    strings.Builder
	left int
}

func newBudget() *budget { return &budget{left: maxText} }

// add writes a text whole, or nothing of it when there is no room left.
func (b *budget) add(text string) bool {
	n := utf8.RuneCountInString(text)
	if n > b.left {
		return false
	}
	b.left -= n
	b.b.WriteString(text)
	return true
}

// text is what was written, with the notes that do not count: each on a line
// of its own in brackets.
func (b *budget) text(nothing string, notes []string) string {
	text := strings.TrimSuffix(b.b.String(), "\n")
	if text == "" {
		text = nothing
	}
	for i, note := range notes {
		if i == 0 {
			text += "\n"
		}
		text += "\n[" + note + "]"
	}
	return text
}

// plural writes a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

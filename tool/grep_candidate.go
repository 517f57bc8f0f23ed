package tool

// candidate is the first place at or after from that a hit could be near; -1
// when there is none.
func (s *fileSearch) candidate(text []byte, from int) int {
	if from >= len(text) {
		return -1
	}
	if len(s.matcher.literal.text) > 0 {
		if i := s.matcher.literal.index(text[from:]); i >= 0 {
			return from + i
		}
		return -1
	}
	if s.auto != nil {
		if at, ok := s.auto.find(text, from); ok {
			return at
		}
		s.auto = nil
	}
	return from
}

// confirm tells whether a line matches that has a candidate at a place, and
// where. whole is false when the line is longer than could be looked at.
func (s *fileSearch) confirm(line []byte, at int) (start int, ok, whole bool) {
	if s.auto != nil && len(s.matcher.literal.text) > 0 {
		switch at, ok := s.auto.find(line, 0); {
		case !ok:
			s.auto = nil
		case at < 0:
			return 0, false, true
		}
	}
	start, _, ok, whole = s.matcher.confirm(line, at)
	return start, ok, whole
}

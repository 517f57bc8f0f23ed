package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paddock/internal/httpserver"
	"paddock/internal/mcpserver"
	"paddock/internal/wire"
)

// tokenVariable holds a single token.
const tokenVariable = "PADDOCK_TOKEN"

// httpAccess says who may call a server over HTTP.
type httpAccess struct {
	tokens  *httpserver.Tokens
	given   bool     // by a person, not made by us
	from    string   // where the tokens are, for people
	kept    string   // the file of a token that was made
	private []string // files that no agent may reach
}

// access finds the tokens. A newcomer who gives none gets one that stays the
// same from start to start, in a file that is theirs alone.
func (f *httpFlags) access(a *app) (*httpAccess, error) {
	named := os.Getenv(tokenVariable)
	// What is started from here has no use for it.
	if err := os.Unsetenv(tokenVariable); err != nil {
		return nil, fmt.Errorf("%s: %w", tokenVariable, err)
	}
	switch {
	case f.NoToken && (f.TokenFile != "" || named != ""):
		return nil, coded{exitUsage, fmt.Errorf("--no-token and a token (--token-file, $%s) exclude each other", tokenVariable)}
	case f.NoToken:
		return &httpAccess{tokens: httpserver.NoToken("local"), from: "nobody"}, nil
	case f.TokenFile != "":
		path, err := filepath.Abs(f.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		tokens, err := httpserver.ReadTokens(f.TokenFile)
		return &httpAccess{tokens: tokens, given: true, from: path, private: []string{path}}, err
	case named != "":
		tokens, err := httpserver.OneToken("default", named)
		if err != nil {
			return nil, coded{exitUsage, fmt.Errorf("$%s: %w", tokenVariable, err)}
		}
		return &httpAccess{tokens: tokens, given: true, from: "$" + tokenVariable}, nil
	}
	env, err := wire.System()
	if err != nil {
		return nil, err
	}
	state, err := env.State() // which is closed to agents
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(state, "http-token")
	tokens, err := httpserver.KeptToken(kept, "default")
	return &httpAccess{tokens: tokens, from: kept, kept: kept}, err
}

// stray is the first flag about HTTP that was given without --http, "" if none
// was.
func (f *httpFlags) stray() string {
	switch {
	case f.TokenFile != "":
		return "--token-file"
	case f.NoToken:
		return "--no-token"
	case len(f.AllowHost) > 0:
		return "--allow-host"
	case len(f.AllowOrigin) > 0:
		return "--allow-origin"
	}
	return ""
}

// needsToken tells how to give one.
func needsToken(err error) error {
	if errors.Is(err, httpserver.ErrNeedsToken) {
		return coded{exitUsage, fmt.Errorf("%w, with --token-file or $%s", err, tokenVariable)}
	}
	return err
}

// faces are what each principal sees. What a token file says of workers and
// tools is checked here, before anybody calls.
func (s *httpServer) faces() (map[string]mcpserver.Face, error) {
	faces := map[string]mcpserver.Face{}
	for _, p := range s.tokens.Principals() {
		own, err := s.open(&p)
		if err != nil {
			return nil, fmt.Errorf("the token %s: %w", p.Name, err)
		}
		s.shared = append(s.shared, own)
		face := mcpserver.Face{Guard: own.guard, Tools: s.tools, Threads: &httpThreads{p, s.sessions}}
		if p.Tools != nil {
			if err := choose(&face, p.Tools); err != nil {
				return nil, fmt.Errorf("the token %s: %w", p.Name, err)
			}
		}
		faces[p.Name] = face
	}
	return faces, nil
}

// choose leaves the named tools in a face. Sessions are offered to who has
// session_open among them.
func choose(face *mcpserver.Face, wanted []string) error {
	all := face.Tools
	face.Tools = nil
	known := append(names(all), mcpserver.SessionOpen)
	for i, name := range wanted {
		switch {
		case !slices.Contains(known, name):
			return fmt.Errorf("there is no tool %q; there are %s", name, strings.Join(known, ", "))
		case slices.Contains(wanted[:i], name):
			return fmt.Errorf("the tool %s is named twice", name)
		}
	}
	for _, t := range all {
		if slices.Contains(wanted, t.Name) {
			face.Tools = append(face.Tools, t)
		}
	}
	if !slices.Contains(wanted, mcpserver.SessionOpen) {
		face.Threads = nil
	}
	return nil
}

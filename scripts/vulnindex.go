//go:build ignore

// Vulnindex lays out a folder of OSV reports as the database that govulncheck
// reads from a file:// address (https://go.dev/security/vuln/database#api).
//
//	go run vulnindex.go REPORTS OUT
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"
)

type report struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Aliases  []string  `json:"aliases"`
	Affected []struct {
		Package struct {
			Name string `json:"name"`
		} `json:"package"`
		Ranges []struct {
			Events []struct {
				Fixed string `json:"fixed"`
			} `json:"events"`
		} `json:"ranges"`
	} `json:"affected"`
}

type moduleVuln struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Fixed    string    `json:"fixed,omitempty"`
}

type module struct {
	Path  string       `json:"path"`
	Vulns []moduleVuln `json:"vulns"`
}

type vuln struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Aliases  []string  `json:"aliases,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: vulnindex REPORTS OUT")
		os.Exit(2)
	}
	if err := index(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "vulnindex:", err)
		os.Exit(1)
	}
}

func index(reports, out string) error {
	files, err := filepath.Glob(filepath.Join(reports, "GO-*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no reports in %s", reports)
	}
	for _, dir := range []string{"ID", "index"} {
		if err := os.MkdirAll(filepath.Join(out, dir), 0o755); err != nil {
			return err
		}
	}
	var newest time.Time
	var vulns []vuln
	modules := map[string]*module{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var r report
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(filepath.Join(out, "ID", r.ID+".json"), text, 0o644); err != nil {
			return err
		}
		if r.Modified.After(newest) {
			newest = r.Modified
		}
		vulns = append(vulns, vuln{r.ID, r.Modified, r.Aliases})
		for _, a := range r.Affected {
			m := modules[a.Package.Name]
			if m == nil {
				m = &module{Path: a.Package.Name}
				modules[a.Package.Name] = m
			}
			v := moduleVuln{ID: r.ID, Modified: r.Modified}
			for _, rng := range a.Ranges {
				for _, e := range rng.Events {
					if e.Fixed != "" {
						v.Fixed = e.Fixed
					}
				}
			}
			m.Vulns = append(m.Vulns, v)
		}
	}
	list := make([]*module, 0, len(modules))
	for _, m := range modules {
		list = append(list, m)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	for name, value := range map[string]any{
		"db": map[string]time.Time{"modified": newest}, "modules": list, "vulns": vulns,
	} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, "index", name+".json"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

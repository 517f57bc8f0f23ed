package policy

import (
	"encoding/json"
	"testing"
)

func TestPermissionText(t *testing.T) {
	for text, want := range map[string]Permission{
		"read": Read, "read|write": Read | Write, " READ , Write ": Read | Write, "none": None, "all": All, "execute|delete|none": Execute | Delete,
	} {
		got, err := ParsePermission(text)
		if err != nil || got != want {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "  ", "rad", "read|", "read||write", ",", "read write"} {
		if p, err := ParsePermission(text); err == nil {
			t.Errorf("%q: %v, want an error", text, p)
		}
	}
}

func TestPermissionInJSON(t *testing.T) {
	for p := None; p <= All; p++ {
		text, err := json.Marshal(map[string]Permission{"p": p})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]Permission
		if err := json.Unmarshal(text, &back); err != nil || back["p"] != p {
			t.Errorf("%s: %v %v, want %v", text, back, err, p)
		}
	}
	var p Permission
	if err := json.Unmarshal([]byte(`"rite"`), &p); err == nil || p != None {
		t.Errorf("an unknown word: %v %v", p, err)
	}
}

package httpserver

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// codeRefused is the code of JSON-RPC for a request that is not taken.
const codeRefused = -32600

// refusalBody is a refusal as MCP clients read one: an error of JSON-RPC that
// answers no request, because none was read.
func refusalBody(text string) []byte {
	type wireError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	body, err := json.Marshal(struct {
		Version string    `json:"jsonrpc"`
		ID      *int      `json:"id"`
		Error   wireError `json:"error"`
	}{"2.0", nil, wireError{codeRefused, text}})
	if err != nil {
		return []byte(`{}`) // not so: every part of it is plain
	}
	return append(body, '\n')
}

// refuse answers a request that is not handed on.
func refuse(w http.ResponseWriter, status int, text string) {
	body := refusalBody(text)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who is not there any more needs no answer
}

// busy refuses for now.
func busy(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Retry-After", "1")
	refuse(w, status, text)
}

package httpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAClientThatGoesAwayEndsItsCall(t *testing.T) {
	reached, ended := make(chan struct{}), make(chan struct{})
	s := start(t, Options{Tokens: NoToken("local")}, func(w http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
		close(ended)
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", s.url(), strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-reached
		cancel()
	}()
	if _, err := http.DefaultClient.Do(r); !errors.Is(err, context.Canceled) {
		t.Errorf("the request ended with %v", err)
	}
	select {
	case <-ended:
	case <-time.After(within):
		t.Error("the call goes on without its client")
	}
}

func TestStopLetsCallsFinish(t *testing.T) {
	reached, release := make(chan struct{}), make(chan struct{})
	s := start(t, Options{Tokens: NoToken("local")}, func(w http.ResponseWriter, r *http.Request) {
		close(reached)
		<-release
		fmt.Fprint(w, r.Context().Err())
	})
	answer := make(chan string, 1)
	go func() {
		resp, body := s.send("POST", "", "{}", nil)
		answer <- resp.Status + " " + body
	}()
	<-reached
	s.stop()
	for end := time.Now().Add(within); ; time.Sleep(time.Millisecond) {
		c, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(s.url())
		if err != nil {
			break // nobody is let in any more
		}
		c.Body.Close()
		if time.Now().After(end) {
			t.Fatal("the server still takes calls")
		}
	}
	close(release)
	if got := <-answer; got != "200 OK <nil>" {
		t.Errorf("the call that ran was answered %q", got)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestStopEndsCallsThatGoOnTooLong(t *testing.T) {
	reached := make(chan struct{})
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Drain: 20 * time.Millisecond}}, func(w http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
		fmt.Fprint(w, "ended")
	})
	answer := make(chan string, 1)
	go func() {
		_, body := s.send("POST", "", "{}", nil)
		answer <- body
	}()
	<-reached
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if got := <-answer; got != "ended" {
		t.Errorf("the call that was ended was answered %q", got)
	}
}

func TestAHandlerThatPanicsIsOneFailedCall(t *testing.T) {
	var logged sync.Map
	s := start(t, Options{Tokens: twoTokens(t), Log: func(line string) { logged.Store(line, true) }}, func(w http.ResponseWriter, r *http.Request) {
		if len(BodyOf(r.Context())) > 2 {
			panic("a fault")
		}
	})
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.url(), strings.NewReader("{   }"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+aliceToken)
	if resp, err := http.DefaultClient.Do(r); err == nil {
		resp.Body.Close()
		t.Errorf("it was answered: %d", resp.StatusCode)
	}
	if resp, _ := s.send("POST", aliceToken, "{}", nil); resp.StatusCode != 200 {
		t.Errorf("the next call: %d", resp.StatusCode)
	}
	lines := 0
	logged.Range(func(line, _ any) bool {
		lines++
		if strings.Contains(line.(string), "alice-") {
			t.Error("a token is in the log")
		}
		return true
	})
	if lines == 0 {
		t.Error("the fault was not told")
	}
}

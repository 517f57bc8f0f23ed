package telemetry

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// tellEvery is how often a person is told that reports are lost.
const tellEvery = time.Minute

// sender posts reports to one address of a collector.
type sender struct {
	client  *http.Client
	url     string
	headers map[string]string
	timeout time.Duration
	tell    func(string)

	mu   sync.Mutex
	told time.Time
}

// newClient makes the client of all senders. It follows no redirect: the
// headers, which may hold a key, are for the address that the person gave.
func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send posts a report. A collector that is away must not hold anything up or
// fill the memory, so there is one try.
func (s *sender) send(ctx context.Context, report message) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.post(ctx, report); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.tell != nil && time.Since(s.told) > tellEvery {
			s.told = time.Now()
			s.tell(fmt.Sprintf("a report for the collector is lost: %v", err))
		}
	}
}

func (s *sender) post(ctx context.Context, report message) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(report))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "paddock")
	for name, value := range s.headers {
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()                                       // only read
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %s", s.url, answer.Status)
	}
	return nil
}

package main

import (
	"context"
	"os"
	"time"

	"paddock/internal/telemetry"
)

// lastReport is how long the last report may take.
const lastReport = 2 * time.Second

// telemetry starts what the environment asks for; nil when it asks for nothing.
// A server without it serves as well, so a mistake there is only told.
func (a *app) telemetry() *telemetry.Telemetry {
	number, _ := version()
	t, err := telemetry.Start(os.Getenv, number, func(text string) { a.notice("telemetry: " + text) })
	if err != nil {
		a.notice("no telemetry: " + err.Error())
	}
	return t
}

// endTelemetry sends what is left.
func (a *app) endTelemetry(t *telemetry.Telemetry) {
	ctx, cancel := context.WithTimeout(context.Background(), lastReport)
	defer cancel()
	if err := t.Close(ctx); err != nil {
		a.notice("telemetry: the last report is lost: " + err.Error())
	}
}

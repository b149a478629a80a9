package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	graphql "github.com/graph-gophers/graphql-go"
)

// The subscriptions, beside everything else. The channel of a field has plain values, and its end is the end of the
// source: no event can be a field error, and no source can fail.
type streams struct{ *server }

// A source of events until `next` says no, or the client is gone.
func open[Event any](ctx context.Context, s *server, next func() (Event, bool)) <-chan Event {
	events := make(chan Event)
	s.count(1)
	go func() {
		defer close(events)
		defer s.count(-1)
		for ctx.Err() == nil {
			event, ok := next()
			if !ok {
				return
			}
			select {
			case events <- event:
			case <-ctx.Done():
			}
		}
	}()
	return events
}

func (s *server) count(change int32) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.sources += change
}

func (s *streams) Countdown(ctx context.Context, args struct{ From, Delay int32 }) (<-chan int32, error) {
	if args.Delay < 0 || args.Delay > 60000 {
		return nil, errors.New("delay must be 0 to 60000")
	}
	left := args.From
	return open(ctx, s.server, func() (int32, bool) {
		if left < args.From {
			select {
			case <-time.After(time.Duration(args.Delay) * time.Millisecond):
			case <-ctx.Done():
			}
		}
		left--
		return left + 1, left >= -1
	}), nil
}

func (s *streams) Counter(ctx context.Context) <-chan int32 {
	at := s.server.Counter()
	return open(ctx, s.server, func() (int32, bool) {
		for {
			s.lock.Lock()
			counter, changed := s.server.counter, s.changed
			s.lock.Unlock()
			if counter >= at {
				at++
				return at - 1, true
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return 0, false
			}
		}
	})
}

func (s *streams) Breaks(ctx context.Context, args struct{ After int32 }) <-chan int32 {
	at := int32(-1)
	return open(ctx, s.server, func() (int32, bool) {
		at++
		return at, at < args.After
	})
}

func (s *streams) Odd(ctx context.Context, args struct{ Count int32 }) <-chan *int32 {
	at := int32(-1)
	return open(ctx, s.server, func() (*int32, bool) {
		at++
		if at%2 == 1 {
			return nil, at < args.Count
		}
		value := at
		return &value, at < args.Count
	})
}

func (s *streams) Refused() (<-chan *int32, error) {
	return nil, errors.New("the subscription is refused")
}

func (s *streams) Silent(ctx context.Context) <-chan *int32 {
	return open(ctx, s.server, func() (*int32, bool) {
		<-ctx.Done()
		return nil, false
	})
}

func (s *streams) Flood(ctx context.Context, args struct{ Bytes int32 }) (<-chan string, error) {
	if args.Bytes < 0 || args.Bytes > 1048576 {
		return nil, errors.New("bytes must be 0 to 1048576")
	}
	text := strings.Repeat("x", int(args.Bytes))
	return open(ctx, s.server, func() (string, bool) { return text, true }), nil
}

// Sends what Subscribe gives as text/event-stream, as one writes it around the library: POST only.
func serveEvents(schema *graphql.Schema, w http.ResponseWriter, r *http.Request) {
	var params struct {
		Query         string                 `json:"query"`
		OperationName string                 `json:"operationName"`
		Variables     map[string]interface{} `json:"variables"`
	}
	if err := json.NewDecoder(r.Body).Decode(&params); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	results, err := schema.Subscribe(r.Context(), params.Query, params.OperationName, params.Variables)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for result := range results {
		data, err := json.Marshal(result)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "event: next\ndata: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	fmt.Fprint(w, "event: complete\ndata:\n\n")
}

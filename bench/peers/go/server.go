// The standard schema behind the handler that github.com/graph-gophers/graphql-go brings (relay.Handler), as its
// documentation says; streams.go has what it lacks for streams. Debian: golang-go and golang-github-graph-gophers-graphql-go-dev.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/relay"
)

type address struct {
	Street  *string
	City    *string
	Country *string
}

type stored struct {
	ID      string
	Name    string
	Age     *int32
	Friends []string
	Address *address
}

type server struct {
	lock    sync.Mutex
	persons map[string]stored
	ids     []string
	counter int32
	changed chan struct{}
	sources int32
}

type person struct {
	stored stored
	server *server
}

func (p *person) ID() graphql.ID    { return graphql.ID(p.stored.ID) }
func (p *person) Name() string      { return p.stored.Name }
func (p *person) Age() *int32       { return p.stored.Age }
func (p *person) Address() *address { return p.stored.Address }

func (p *person) Friends(args struct{ Limit *int32 }) ([]*person, error) {
	ids := p.stored.Friends
	if args.Limit != nil {
		if *args.Limit < 0 {
			return nil, errors.New("limit must not be negative")
		}
		if int(*args.Limit) < len(ids) {
			ids = ids[:*args.Limit]
		}
	}
	friends := []*person{}
	for _, id := range ids {
		friends = append(friends, p.server.find(id))
	}
	return friends, nil
}

func (s *server) find(id string) *person {
	s.lock.Lock()
	defer s.lock.Unlock()
	found, ok := s.persons[id]
	if !ok {
		return nil
	}
	return &person{found, s}
}

func (s *server) Person(args struct{ ID graphql.ID }) *person { return s.find(string(args.ID)) }
func (s *server) Echo(args struct{ S string }) string         { return args.S }
func (s *server) Fail() (*string, error)                      { return nil, errors.New("the field fails") }
func (s *server) FailNonNull() (string, error)                { return "", errors.New("the field fails") }

func (s *server) Slow(args struct{ Ms int32 }) (string, error) {
	if args.Ms < 0 || args.Ms > 60000 {
		return "", errors.New("ms must be 0 to 60000")
	}
	time.Sleep(time.Duration(args.Ms) * time.Millisecond)
	return strconv.Itoa(int(args.Ms)), nil
}

func (s *server) Counter() int32 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.counter
}

func (s *server) People() []*person {
	people := []*person{}
	for _, id := range s.ids {
		people = append(people, s.find(id))
	}
	return people
}

func (s *server) OpenSources() int32 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.sources
}

func (s *server) RenamePerson(args struct {
	ID   graphql.ID
	Name string
}) *person {
	s.lock.Lock()
	if found, ok := s.persons[string(args.ID)]; ok {
		found.Name = args.Name
		s.persons[found.ID] = found
	}
	s.lock.Unlock()
	return s.find(string(args.ID))
}

// Without support of uploads, no value of the scalar is valid.
type upload struct{}

func (upload) ImplementsGraphQLType(name string) bool { return name == "Upload" }
func (*upload) UnmarshalGraphQL(any) error            { return errors.New("uploads are not supported") }

type receivedFile struct{}

func (receivedFile) Name() string      { return "" }
func (receivedFile) MediaType() string { return "" }
func (receivedFile) Size() int32       { return 0 }
func (receivedFile) Text() *string     { return nil }

func (s *server) ReceiveFiles(struct{ Files []upload }) []*receivedFile { return nil }
func (s *server) IgnoreFiles(struct{ Files []upload }) int32            { return 0 }

func (s *server) Increment() int32 {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.counter++
	close(s.changed)
	s.changed = make(chan struct{})
	return s.counter
}

// The folder fixtures/standard is the first argument.
func main() {
	sdl, err := os.ReadFile(os.Args[1] + "/schema.graphql")
	if err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(os.Args[1] + "/persons.json")
	if err != nil {
		log.Fatal(err)
	}
	var list []stored
	if err := json.Unmarshal(data, &list); err != nil {
		log.Fatal(err)
	}
	state := &server{persons: map[string]stored{}, changed: make(chan struct{})}
	for _, one := range list {
		state.persons[one.ID] = one
		state.ids = append(state.ids, one.ID)
	}
	// This version of the library reads no description of the schema itself.
	text := string(sdl)
	text = text[strings.Index(text, "schema {"):]
	// It has one resolver for all root types, and both Query and Subscription have a counter.
	counter := regexp.MustCompile(`  ".*"\n  counter: Int!\n`).FindString(text)
	withoutCounter := strings.Replace(text, counter, "", 1)
	streaming := graphql.MustParseSchema(withoutCounter, &streams{state}, graphql.UseFieldResolvers())
	// relay.Handler serves no subscriptions.
	text = strings.Replace(text, "  subscription: Subscription\n", "", 1)
	start := strings.Index(text, "type Subscription {")
	end := start + strings.Index(text[start:], "\n}\n") + len("\n}\n")
	text = text[:start] + text[end:]
	schema := graphql.MustParseSchema(text, state, graphql.UseFieldResolvers())

	single := &relay.Handler{Schema: schema}
	http.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
			serveEvents(streaming, w, r)
		} else {
			single.ServeHTTP(w, r)
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ready at http://%s/graphql\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

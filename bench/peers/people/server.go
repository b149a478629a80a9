// W1 to W4 behind the handler that github.com/graph-gophers/graphql-go brings (relay.Handler); it serves no GET, so that
// is three lines here. Reads PORT, and the persons from the file PEOPLE. Debian: golang-go and
// golang-github-graph-gophers-graphql-go-dev.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/relay"
)

type address struct {
	Street, City, Country *string
}

type person struct {
	ID        graphql.ID
	Name      string
	Email     string
	Age       *int32
	Address   *address
	FriendIDs []string `json:"friends"`
}

type limited struct{ Limit *int32 }

func (l limited) of(length int) int {
	if l.Limit == nil || int(*l.Limit) > length {
		return length
	}
	return int(*l.Limit)
}

var people []*person
var byID = map[string]*person{}

func (p *person) Friends(args limited) []*person {
	friends := make([]*person, args.of(len(p.FriendIDs)))
	for at := range friends {
		friends[at] = byID[p.FriendIDs[at]]
	}
	return friends
}

type query struct{}

func (*query) Hello() string                               { return "Hello, world!" }
func (*query) Person(args struct{ ID graphql.ID }) *person { return byID[string(args.ID)] }
func (*query) People(args limited) []*person               { return people[:args.of(len(people))] }

func main() {
	read, err := os.ReadFile(os.Getenv("PEOPLE"))
	if err != nil {
		log.Fatal(err)
	}
	var service struct {
		TypeDefs string
		People   []*person
	}
	if err := json.Unmarshal(read, &service); err != nil {
		log.Fatal(err)
	}
	people = service.People
	for _, one := range people {
		byID[string(one.ID)] = one
	}
	schema := graphql.MustParseSchema(service.TypeDefs, &query{}, graphql.UseFieldResolvers())
	post := &relay.Handler{Schema: schema}
	http.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "GET" {
			post.ServeHTTP(w, r)
			return
		}
		response := schema.Exec(r.Context(), r.URL.Query().Get("query"), "", nil)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(response)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

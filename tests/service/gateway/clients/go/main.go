// Runs the official Go client through the gateway: client URL INDEX TEXTS.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strings"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esapi"
)

type object = map[string]any

type hit struct {
	ID     string   `json:"_id"`
	Score  *float64 `json:"_score"`
	Sort   []any    `json:"sort"`
	Source struct {
		Text   string `json:"text"`
		Dupdex struct {
			Plan string `json:"plan"`
			Hash string `json:"text_hash"`
		} `json:"dupdex"`
	} `json:"_source"`
}

type hits struct {
	Hits struct {
		Total struct {
			Value int `json:"value"`
		} `json:"total"`
		Hits []hit `json:"hits"`
	} `json:"hits"`
}

func body(lines ...any) io.Reader {
	var out bytes.Buffer
	for _, line := range lines {
		if err := json.NewEncoder(&out).Encode(line); err != nil {
			log.Fatal(err)
		}
	}
	return &out
}

func must(ok bool, what string, seen any) {
	if !ok {
		log.Fatalf("%s: %v", what, seen)
	}
}

// answer reads what came back into a value, and fails on another status than the one expected.
func answer(status int, into any) func(*esapi.Response, error) {
	return func(response *esapi.Response, err error) {
		if err != nil {
			log.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			log.Fatal(err)
		}
		must(response.StatusCode == status, fmt.Sprintf("status instead of %d", status), string(text))
		if into != nil {
			if err := json.Unmarshal(text, into); err != nil {
				log.Fatalf("%v in %s", err, text)
			}
		}
	}
}

func ids(found hits) string {
	var out []string
	for _, each := range found.Hits.Hits {
		out = append(out, each.ID)
	}
	return strings.Join(out, " ")
}

func main() {
	url, index := os.Args[1], os.Args[2]
	var texts struct{ Original, Copy, Other, Changed string }
	data, err := os.ReadFile(os.Args[3])
	if err == nil {
		err = json.Unmarshal(data, &texts)
	}
	if err != nil {
		log.Fatal(err)
	}
	es, err := elasticsearch.NewClient(elasticsearch.Config{
		Addresses: []string{url}, CompressRequestBody: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	write(es, index, texts.Original, texts.Copy, texts.Other, texts.Changed)
	clause := object{"near_duplicate": object{"text": texts.Original, "min_similarity": 0.5}}
	search(es, index, clause)
	page(es, index)
	remove(es, index, clause)
	fmt.Println("ok", elasticsearch.Version)
}

func get(es *elasticsearch.Client, index, id string) (found hit) {
	answer(200, &found)(es.Get(index, id))
	return found
}

func write(es *elasticsearch.Client, index, original, copied, other, changed string) {
	first := body(object{"text": original, "n": 1})
	answer(201, nil)(es.Index(index, first, es.Index.WithDocumentID("1")))
	var done struct {
		Items []map[string]struct{ Status int }
	}
	answer(200, &done)(es.Bulk(body(
		object{"index": object{"_id": "2"}}, object{"text": copied, "n": 2},
		object{"create": object{"_id": "3"}}, object{"text": other, "n": 3},
		object{"create": object{"_id": "1"}}, object{"text": other, "n": 4},
		object{"index": object{"_id": "5"}}, object{"text": changed, "n": 5},
		object{"index": object{"_id": "6"}}, object{"text": other + changed, "n": 6},
	), es.Bulk.WithIndex(index), es.Bulk.WithRefresh("true")))
	var states []int
	for _, item := range done.Items {
		for _, each := range item {
			states = append(states, each.Status)
		}
	}
	must(fmt.Sprint(states) == "[201 201 409 201 201]", "bulk", states)
	stored := get(es, index, "1").Source
	must(stored.Text == original && stored.Dupdex.Plan != "", "get", stored)
	for _, text := range []string{copied, other} {
		change := body(object{"doc": object{"text": text}})
		answer(200, nil)(es.Update(index, "3", change, es.Update.WithRefresh("true")))
		same := get(es, index, "3").Source.Dupdex.Hash == get(es, index, "2").Source.Dupdex.Hash
		must(same == (text == copied), "update", same)
	}
}

func search(es *elasticsearch.Client, index string, clause object) {
	asked := func(query any) (found hits) {
		answer(200, &found)(es.Search(es.Search.WithIndex(index), es.Search.WithBody(body(query))))
		return found
	}
	found := asked(object{"query": clause})
	seen := strings.Fields(ids(found))
	sort.Strings(seen)
	must(strings.Join(seen, " ") == "1 2", "near duplicates", found)
	must(*found.Hits.Hits[0].Score >= *found.Hits.Hits[1].Score, "scores", found)
	filter := object{"term": object{"n": 2}}
	both := object{"bool": object{"must": clause, "filter": filter}}
	must(ids(asked(object{"query": both})) == "2", "near duplicates with a filter", nil)
	var several struct{ Responses []hits }
	answer(200, &several)(es.Msearch(body(
		object{}, object{"query": clause, "size": 0}, object{}, object{"size": 0},
	), es.Msearch.WithIndex(index)))
	first, second := several.Responses[0].Hits.Total.Value, several.Responses[1].Hits.Total.Value
	must(first == 2 && second == 5, "msearch", several)
	one := asked(object{"dedup": object{"collapse": true, "copies": 3}})
	must(len(one.Hits.Hits) < 5, "collapse", one)
}

func page(es *elasticsearch.Client, index string) {
	var pit struct{ ID string }
	answer(200, &pit)(es.OpenPointInTime([]string{index}, "1m"))
	query := object{"size": 2, "pit": object{"id": pit.ID}, "sort": []object{{"n": "asc"}}}
	var seen []string
	for {
		var found hits
		answer(200, &found)(es.Search(es.Search.WithBody(body(query))))
		if len(found.Hits.Hits) == 0 {
			break
		}
		seen = append(seen, ids(found))
		query["search_after"] = found.Hits.Hits[len(found.Hits.Hits)-1].Sort
	}
	must(strings.Join(seen, " ") == "1 2 3 5 6", "pages", seen)
	close := es.ClosePointInTime.WithBody(body(object{"id": pit.ID}))
	answer(200, nil)(es.ClosePointInTime(close))
}

func remove(es *elasticsearch.Client, index string, clause object) {
	answer(200, nil)(es.Delete(index, "2", es.Delete.WithRefresh("true")))
	var left struct{ Count int }
	query := es.Count.WithBody(body(object{"query": clause}))
	answer(200, &left)(es.Count(es.Count.WithIndex(index), query))
	must(left.Count == 1, "count after deletion", left)
	answer(404, nil)(es.Get(index, "2"))
	for _, wrong := range []object{
		{"near_duplicate": object{"nonsense": 1}}, {"nonsense": object{}},
	} {
		query := es.Search.WithBody(body(object{"query": wrong}))
		answer(400, nil)(es.Search(es.Search.WithIndex(index), query))
	}
}

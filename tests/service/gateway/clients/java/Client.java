import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.SearchResponse;
import co.elastic.clients.elasticsearch.core.search.Hit;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;

/** Runs the official Java client through the gateway: Client URL INDEX TEXTS.json */
public final class Client {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ElasticsearchClient es;
    private final String index;
    private final JsonNode texts;

    private Client(ElasticsearchClient es, String index, JsonNode texts) {
        this.es = es;
        this.index = index;
        this.texts = texts;
    }

    public static void main(String[] arguments) throws IOException {
        JsonNode texts = JSON.readTree(new File(arguments[2]));
        try (RestClient line = RestClient.builder(HttpHost.create(arguments[0])).setCompressionEnabled(true).build();
                RestClientTransport transport = new RestClientTransport(line, new JacksonJsonpMapper())) {
            Client client = new Client(new ElasticsearchClient(transport), arguments[1], texts);
            client.write();
            client.search();
            client.page();
            client.remove();
        }
        System.out.println("ok");
    }

    private ObjectNode document(String text, int number) {
        return JSON.createObjectNode().put("text", text).put("n", number);
    }

    private String text(String name) {
        return texts.get(name).asText();
    }

    private static void must(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError(seen);
        }
    }

    /** A clause that the client has no type for, as its users write one. */
    private Query clause(String field, Object value) throws IOException {
        String json = JSON.writeValueAsString(Map.of("near_duplicate", Map.of(field, value)));
        return Query.of(q -> q.withJson(new StringReader(json)));
    }

    private Query copies() throws IOException {
        return clause("text", text("original"));
    }

    private JsonNode stored(String id) throws IOException {
        return es.get(g -> g.index(index).id(id), ObjectNode.class).source();
    }

    private void write() throws IOException {
        es.index(i -> i.index(index).id("1").document(document(text("original"), 1)));
        BulkRequest.Builder bulk = new BulkRequest.Builder().index(index).refresh(Refresh.True);
        bulk.operations(o -> o.index(i -> i.id("2").document(document(text("copy"), 2))));
        bulk.operations(o -> o.create(i -> i.id("3").document(document(text("other"), 3))));
        bulk.operations(o -> o.create(i -> i.id("1").document(document(text("other"), 4))));
        bulk.operations(o -> o.index(i -> i.id("5").document(document(text("changed"), 5))));
        bulk.operations(o -> o.index(i -> i.id("6").document(document(text("other") + text("changed"), 6))));
        List<Integer> states = es.bulk(bulk.build()).items().stream().map(item -> item.status()).toList();
        must(states.equals(List.of(201, 201, 409, 201, 201)), states);
        must(stored("1").get("text").asText().equals(text("original")), stored("1"));
        must(stored("1").get("dupdex").hasNonNull("plan"), stored("1"));
        for (String name : List.of("copy", "other")) {
            Map<String, String> change = Map.of("text", text(name));
            es.update(u -> u.index(index).id("3").doc(change).refresh(Refresh.True), ObjectNode.class);
            JsonNode hash = stored("3").get("dupdex").get("text_hash");
            must(hash.equals(stored("2").get("dupdex").get("text_hash")) == name.equals("copy"), hash);
        }
    }

    private static List<String> ids(SearchResponse<ObjectNode> found) {
        return found.hits().hits().stream().map(Hit::id).toList();
    }

    private void search() throws IOException {
        Query copies = copies();
        SearchResponse<ObjectNode> found = es.search(s -> s.index(index).query(copies), ObjectNode.class);
        must(ids(found).stream().sorted().toList().equals(List.of("1", "2")), found);
        must(found.hits().hits().get(0).score() >= found.hits().hits().get(1).score(), found);
        Query filter = Query.of(q -> q.term(t -> t.field("n").value(2)));
        Query both = Query.of(q -> q.bool(b -> b.must(copies).filter(filter)));
        must(ids(es.search(s -> s.index(index).query(both), ObjectNode.class)).equals(List.of("2")), both);
        var several = es.msearch(m -> m.index(index)
                .searches(s -> s.header(h -> h).body(b -> b.query(copies).size(0)))
                .searches(s -> s.header(h -> h).body(b -> b.size(0))), ObjectNode.class);
        List<Long> totals = several.responses().stream().map(r -> r.result().hits().total().value()).toList();
        must(totals.equals(List.of(2L, 5L)), totals);
        String dedup = "{\"dedup\": {\"collapse\": true, \"copies\": 3}}";
        collapsed(dedup);
    }

    /** The typed requests have no room for more; its own transport sends any body. */
    private void collapsed(String body) throws IOException {
        RestClientTransport transport = (RestClientTransport) es._transport();
        var request = new org.elasticsearch.client.Request("POST", "/" + index + "/_search");
        request.setJsonEntity(body);
        var response = transport.restClient().performRequest(request);
        JsonNode found = JSON.readTree(response.getEntity().getContent());
        must(found.get("hits").get("hits").size() < 5, found);
    }

    private void page() throws IOException {
        String pit = es.openPointInTime(o -> o.index(index).keepAlive(t -> t.time("1m"))).id();
        List<String> seen = new ArrayList<>();
        List<FieldValue> after = new ArrayList<>();
        while (true) {
            SearchResponse<ObjectNode> found = es.search(s -> {
                s.size(2).pit(p -> p.id(pit)).sort(o -> o.field(f -> f.field("n").order(SortOrder.Asc)));
                return after.isEmpty() ? s : s.searchAfter(after);
            }, ObjectNode.class);
            if (found.hits().hits().isEmpty()) {
                break;
            }
            seen.addAll(ids(found));
            after.clear();
            after.addAll(found.hits().hits().get(found.hits().hits().size() - 1).sort());
        }
        es.closePointInTime(c -> c.id(pit));
        must(seen.equals(List.of("1", "2", "3", "5", "6")), seen);
    }

    private void remove() throws IOException {
        es.delete(d -> d.index(index).id("2").refresh(Refresh.True));
        Query copies = copies();
        must(es.count(c -> c.index(index).query(copies)).count() == 1, "count after deletion");
        must(!es.get(g -> g.index(index).id("2"), ObjectNode.class).found(), "a deleted document");
        for (Query wrong : List.of(clause("nonsense", 1), Query.of(q -> q.withJson(new StringReader("{\"wrapper\":{\"query\":\"bm8=\"}}"))))) {
            try {
                es.search(s -> s.index(index).query(wrong), ObjectNode.class);
            } catch (ElasticsearchException error) {
                must(error.status() == 400, error);
                continue;
            }
            throw new AssertionError("a wrong query was answered");
        }
    }
}

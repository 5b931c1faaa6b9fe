package interop;

import static interop.Account.ifMatch;
import static interop.Account.keyOf;
import static interop.Account.read;
import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Failures.refused;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks of single documents: writes, reads, ETags, keys and what texts and numbers may hold. */
final class Items {
    private Items() {}

    /** A document as a user's class, which Jackson writes and reads. */
    public record Person(String id, String pk, String name, List<String> tags, Double height) {}

    static void add(Runner run, Account account) {
        run.area("items");
        writes(run, account);
        etags(run, account);
        reads(run, account);
        keys(run, account);
        values(run, account);
        keysDeleted(run, account);
    }

    private static void writes(Runner run, Account account) {
        run.check("create, read: a class of the user's", () -> {
            CosmosContainer container = account.container();
            Person ada = new Person("1", "a", "Ada", List.of("x", "y"), 1.7);
            CosmosItemResponse<Person> created = container.createItem(ada);
            equal(created.getStatusCode(), 201);
            equal(created.getItem(), ada);
            CosmosItemResponse<Person> got = container.readItem("1", new PartitionKey("a"), Person.class);
            equal(got.getItem(), ada);
            equal(got.getETag(), created.getETag());
            holds(got.getRequestCharge() > 0, "no request charge");
            holds(!got.getActivityId().isEmpty(), "no activity id");
        });

        run.check("create, read: system properties", () -> {
            CosmosContainer container = account.container();
            JsonNode made = container.createItem(Json.doc("id", "1", "pk", "a")).getItem();
            for (String name : List.of("_rid", "_self", "_etag", "_ts")) {
                holds(made.hasNonNull(name), "no " + name);
            }
            equal(read(container, "1", "a"), made);
        });

        run.check("create: with the partition key beside the document", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a"), new PartitionKey("a"), new CosmosItemRequestOptions());
            refused(400, () -> container.createItem(Json.doc("id", "2", "pk", "a"), new PartitionKey("b"), null));
        });

        run.check("create: twice is 409, but not in another partition", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a"));
            contains(refused(409, () -> container.createItem(Json.doc("id", "1", "pk", "a"))).getMessage(), "ResourceType: Document");
            equal(container.createItem(Json.doc("id", "1", "pk", "b")).getStatusCode(), 201);
        });

        run.notInSdk("an id that the SDK makes: a document without an id is 400", () -> {
            CosmosContainer container = account.container();
            refused(400, () -> container.createItem(Json.doc("pk", "a")));
        });

        run.check("upsert: 201, then 200", () -> {
            CosmosContainer container = account.container();
            equal(container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 1)).getStatusCode(), 201);
            equal(container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 2)).getStatusCode(), 200);
            equal(read(container, "1", "a").get("n"), 2);
        });

        run.check("replace: properties that are left out are gone", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a", "old", true));
            container.replaceItem(Json.doc("id", "1", "pk", "a", "n", 2), "1", keyOf("a"), null);
            JsonNode now = read(container, "1", "a");
            holds(now.get("n").asInt() == 2 && !now.has("old"), "not replaced: " + now);
            refused(404, () -> container.replaceItem(Json.doc("id", "9", "pk", "a"), "9", keyOf("a"), null));
        });

        run.check("delete: 204, then 404", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a"));
            equal(container.deleteItem("1", keyOf("a"), null).getStatusCode(), 204);
            refused(404, () -> container.deleteItem("1", keyOf("a"), null));
        });

        run.check("answers without a body: what a write asks for", () -> {
            CosmosContainer container = account.container();
            CosmosItemRequestOptions options = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(false);
            CosmosItemResponse<ObjectNode> made = container.createItem(Json.doc("id", "1", "pk", "a"), keyOf("a"), options);
            equal(made.getStatusCode(), 201);
            holds(made.getItem() == null, "a body: " + made.getItem());
            holds(made.getETag() != null, "no ETag");
        });

        run.check("time to live: of one document", () -> {
            CosmosContainer container = account.container(c -> c.setDefaultTimeToLiveInSeconds(1));
            container.createItem(Json.doc("id", "short", "pk", "a"));
            container.createItem(Json.doc("id", "long", "pk", "a", "ttl", 600));
            Thread.sleep(2100);
            refused(404, () -> read(container, "short", "a"));
            equal(read(container, "long", "a").get("ttl"), 600);
        });
    }

    private static void etags(Runner run, Account account) {
        run.check("if-match: of the newest passes, of an older one is 412", () -> {
            CosmosContainer container = account.container();
            String first = container.createItem(Json.doc("id", "1", "pk", "a")).getETag();
            String second = container.replaceItem(Json.doc("id", "1", "pk", "a", "n", 1), "1", keyOf("a"), ifMatch(first)).getETag();
            holds(!first.equals(second), "the ETag stays");
            refused(412, () -> container.replaceItem(Json.doc("id", "1", "pk", "a", "n", 2), "1", keyOf("a"), ifMatch(first)));
            refused(412, () -> container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 2), keyOf("a"), ifMatch(first)));
            refused(412, () -> container.deleteItem("1", keyOf("a"), ifMatch(first)));
            equal(container.deleteItem("1", keyOf("a"), ifMatch(second)).getStatusCode(), 204);
        });

        run.check("if-none-match: an unchanged document is 304", () -> {
            CosmosContainer container = account.container();
            String etag = container.createItem(Json.doc("id", "1", "pk", "a")).getETag();
            CosmosItemRequestOptions options = new CosmosItemRequestOptions().setIfNoneMatchETag(etag);
            CosmosItemResponse<ObjectNode> same = container.readItem("1", keyOf("a"), options, ObjectNode.class);
            equal(same.getStatusCode(), 304);
            container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 1));
            equal(container.readItem("1", keyOf("a"), options, ObjectNode.class).getItem().get("n"), 1);
        });
    }

    private static void reads(Runner run, Account account) {
        run.check("read: what is not there is 404", () -> {
            CosmosContainer container = account.container();
            equal(refused(404, () -> read(container, "none", "a")).getSubStatusCode(), 0);
            container.createItem(Json.doc("id", "1", "pk", "a"));
            refused(404, () -> read(container, "1", "b"));
        });

        run.check("read many: over partitions, without those that are missing", () -> {
            List<CosmosItemIdentity> wanted = new ArrayList<>();
            for (int n = 0; n < 30; n++) {
                wanted.add(new CosmosItemIdentity(keyOf("p" + n % 20), "d" + n));
            }
            wanted.add(new CosmosItemIdentity(keyOf("p1"), "missing"));
            List<String> ids = account.people().readMany(wanted, ObjectNode.class).getResults().stream().map(d -> d.get("id").asText()).toList();
            equal(Json.sorted(ids), Json.sorted(wanted.stream().map(CosmosItemIdentity::getId).filter(id -> !id.equals("missing")).toList()));
        });

        run.check("read many: of several partition keys", () -> {
            List<Integer> numbers = new ArrayList<>();
            account.people().readManyByPartitionKeys(List.of(keyOf("p1"), keyOf("p2"), keyOf("none")), ObjectNode.class)
                .forEach(doc -> numbers.add(doc.get("n").asInt()));
            equal(Json.sorted(numbers), Json.sorted(List.of(1, 21, 41, 2, 22, 42)));
        });

        run.check("read all: of a partition key", () -> {
            List<Integer> numbers = new ArrayList<>();
            account.people().readAllItems(keyOf("p7"), ObjectNode.class).forEach(doc -> numbers.add(doc.get("n").asInt()));
            equal(Json.sorted(numbers), Json.sorted(List.of(7, 27, 47)));
        });
    }

    private static void keys(Runner run, Account account) {
        Map<String, Object> kinds = new LinkedHashMap<>();
        kinds.put("keys that are numbers: a fraction", 1.5);
        kinds.put("keys that are numbers: a whole and negative one", -42);
        kinds.put("keys that are numbers: 2^53", 9007199254740992L);
        kinds.put("keys that are booleans: true", true);
        kinds.put("keys that are booleans: false", false);
        kinds.put("keys that are null: not the text null", null);
        kinds.put("keys that are texts: the empty text", "");
        kinds.put("keys that are texts: 1,000 characters of two kinds", "k€".repeat(500));
        kinds.forEach((name, key) -> run.check(name, () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", key));
            equal(read(container, "1", new Object[] {key}).get("pk"), Json.tree(key));
            refused(404, () -> read(container, "1", String.valueOf(key) + "."));
            equal(container.readAllItems(keyOf(new Object[] {key}), ObjectNode.class).stream().count(), 1);
        }));

        run.check("no key: a document without the property", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1"));
            equal(container.readItem("1", PartitionKey.NONE, ObjectNode.class).getItem().get("id").asText(), "1");
            refused(404, () -> read(container, "1", new Object[] {null}));
            equal(container.deleteItem("1", PartitionKey.NONE, null).getStatusCode(), 204);
        });

        run.check("hierarchical keys: all levels of each type", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b", "/c")));
            container.createItem(Json.doc("id", "1", "a", "x", "b", 2, "c", true));
            container.upsertItem(Json.doc("id", "1", "a", "x", "b", 2, "c", null));
            equal(read(container, "1", "x", 2, true).get("c"), true);
            equal(read(container, "1", "x", 2, null).get("b"), 2);
            refused(404, () -> read(container, "1", "x", 3, true));
        });
    }

    private static void values(Runner run, Account account) {
        run.check("ids in many alphabets: and with marks of every language", () -> {
            CosmosContainer container = account.container();
            for (String id : List.of("ä ö", "日本", "a+b&c=d", "100%", "a'b\"c", "🙂", "--;DROP TABLE", "{\"$ne\":1}", "<b>", "٣", "a\u200bb", "x".repeat(1000))) {
                container.createItem(Json.doc("id", id, "pk", id));
                equal(read(container, id, id).get("id").asText(), id);
                equal(container.deleteItem(id, keyOf(id), null).getStatusCode(), 204);
            }
        });

        run.check("values in many alphabets: come back as they were", () -> {
            CosmosContainer container = account.container();
            ObjectNode doc = Json.doc("id", "1", "pk", "a", "__proto__", 1, "$type", "System.Object", "_value", 2, "ключ", "значение",
                "text", "\u0000\u0001\n\r\t\"\\/\u2028\uFEFF𝄞 ' OR 1=1 --", "nested", Map.of("", List.of(Map.of("a.b", "c/d"))));
            container.createItem(doc);
            JsonNode got = read(container, "1", "a");
            doc.fieldNames().forEachRemaining(name -> equal(got.get(name), doc.get(name)));
        });

        run.check("large numbers: to 64 bits of floating point", () -> {
            CosmosContainer container = account.container();
            ObjectNode doc = Json.doc("id", "1", "pk", "a", "exact", 9007199254740991L, "negative", -9007199254740991L,
                "huge", 1.7976931348623157e308, "tiny", 5e-324, "tenth", 0.1, "third", 1.0 / 3);
            container.createItem(doc);
            JsonNode got = read(container, "1", "a");
            doc.fieldNames().forEachRemaining(name -> equal(got.get(name), doc.get(name)));
            equal(Account.all(container, "SELECT VALUE c.exact + 0 FROM c WHERE c.exact = 9007199254740991"), List.of(9007199254740991L));
        });
    }

    private static void keysDeleted(Runner run, Account account) {
        run.check("all of a partition key deleted: in one request", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 21);
            equal(container.deleteAllItemsByPartitionKey(keyOf("p1"), new CosmosItemRequestOptions()).getStatusCode(), 200);
            refused(404, () -> read(container, "1", "p1"));
            equal(Account.all(container, "SELECT VALUE COUNT(1) FROM c"), List.of(18));
            container.createItem(Json.doc("id", "1", "pk", "p1"));
        });

        run.check("all of a partition key deleted, hierarchical keys: a whole key, and no prefix", () -> {
            CosmosContainer container = account.container(properties -> properties.setPartitionKeyDefinition(Account.key("/a", "/b")));
            for (int n = 0; n < 8; n++) {
                container.createItem(Json.doc("id", "" + n, "a", "x", "b", "" + n % 2));
            }
            refused(400, () -> container.deleteAllItemsByPartitionKey(keyOf("x"), new CosmosItemRequestOptions()));
            container.deleteAllItemsByPartitionKey(keyOf("x", "1"), new CosmosItemRequestOptions());
            equal(Account.all(container, "SELECT VALUE COUNT(1) FROM c"), List.of(4));
        });
    }
}

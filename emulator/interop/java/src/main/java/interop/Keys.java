package interop;

import static interop.Failures.equal;
import static interop.Failures.holds;

import com.azure.cosmos.CosmosContainer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Checks of the key functions that pkgen prints: Go and Java find each other's documents. */
final class Keys {
    private Keys() {}

    /** A document of a container, and the values of its partition key. */
    private record Sample(String container, ObjectNode doc, Object... key) {}

    /** The samples as a writer stores them. */
    private static List<Sample> samples(String writer) throws Exception {
        List<Sample> samples = new ArrayList<>();
        JsonNode given = Json.parse(Files.readString(Path.of(System.getenv("INTEROP_SAMPLES"))));
        for (JsonNode one : given.get("measurements")) {
            ObjectNode doc = one.deepCopy();
            String key = MeasurementPartitionKey.of(doc.get("site").asText(), at(doc), doc.get("meter").asLong(),
                doc.get("label").asText(), doc.get("urgent").asBoolean(), doc.get("serial").asText());
            samples.add(new Sample("measurement", named(doc, writer, key), key));
        }
        for (JsonNode one : given.get("visits")) {
            ObjectNode doc = one.deepCopy();
            List<Object> key = VisitPartitionKey.of(doc.get("tenant").asText(), doc.get("user").asLong(), at(doc));
            samples.add(new Sample("visit", named(doc, writer, (String) key.get(2)), key.toArray()));
        }
        holds(samples.size() > 10, "few samples: " + samples.size());
        return samples;
    }

    private static Instant at(JsonNode doc) {
        return Instant.parse(doc.get("at").asText());
    }

    private static ObjectNode named(ObjectNode doc, String writer, String partitionKey) {
        return doc.put("id", writer + "-" + doc.get("id").asText()).put("partitionKey", partitionKey);
    }

    static void add(Runner run, Account account) {
        run.area("printed key functions");

        run.check("the SDK reads what Go wrote", () -> {
            for (Sample sample : samples("go")) {
                JsonNode got = Account.read(container(account, sample), sample.doc.get("id").asText(), sample.key);
                equal(at(got).toString(), at(sample.doc).toString());
                sample.doc.remove("at");
                sample.doc.fields().forEachRemaining(property -> equal(got.get(property.getKey()), property.getValue()));
            }
        });

        run.check("Go reads what the SDK wrote: the writes, before Go reads them", () -> {
            for (Sample sample : samples("java")) {
                container(account, sample).upsertItem(sample.doc, Account.keyOf(sample.key), null);
            }
        });
    }

    private static CosmosContainer container(Account account, Sample sample) {
        return account.client.getDatabase("keys").getContainer(sample.container);
    }
}

package interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Documents as the checks write them. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** A document of names and values that take turns. */
    static ObjectNode doc(Object... pairs) {
        ObjectNode node = MAPPER.createObjectNode();
        for (int n = 0; n < pairs.length; n += 2) {
            node.set((String) pairs[n], MAPPER.valueToTree(pairs[n + 1]));
        }
        return node;
    }

    /** A value as JSON. */
    static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** The value that a text of JSON holds. */
    static JsonNode parse(String text) throws Exception {
        return MAPPER.readTree(text);
    }

    /** A value in a form in which 1 and 1.0 are equal, and the order of properties does not matter. */
    static Object comparable(Object value) {
        JsonNode node = value instanceof JsonNode n ? n : MAPPER.valueToTree(value);
        if (node == null || node.isNull() || node.isMissingNode()) {
            return "null";
        }
        if (node.isNumber()) {
            return new BigDecimal(node.asText()).stripTrailingZeros().toString();
        }
        if (node.isArray()) {
            List<Object> list = new ArrayList<>();
            node.forEach(element -> list.add(comparable(element)));
            return list;
        }
        if (node.isObject()) {
            TreeMap<String, Object> map = new TreeMap<>();
            node.fields().forEachRemaining(field -> map.put(field.getKey(), comparable(field.getValue())));
            return map;
        }
        return node.toString();
    }

    /** Values in an order of their own, for rows that come in any order. */
    static List<Object> sorted(Object rows) {
        List<Object> list = new ArrayList<>((List<?>) comparable(rows));
        list.sort((a, b) -> a.toString().compareTo(b.toString()));
        return list;
    }
}

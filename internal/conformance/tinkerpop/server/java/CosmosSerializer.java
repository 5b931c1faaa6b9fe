package pkgen;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.apache.tinkerpop.shaded.jackson.databind.DeserializationFeature;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.node.ObjectNode;

/**
 * Reads requests in GraphSON 2, and answers in GraphSON 1 without types, as Azure Cosmos
 * DB does. It adds the attribute x-ms-status-code where a server of TinkerPop has only a
 * text for what the service has a code.
 */
public final class CosmosSerializer implements MessageSerializer<ObjectMapper> {
    private static final ObjectMapper PLAIN = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final GraphSONMessageSerializerV2 requests = new GraphSONMessageSerializerV2();
    private final GraphSONUntypedMessageSerializerV1 answers = new GraphSONUntypedMessageSerializerV1();

    @Override
    public void configure(Map<String, Object> config, Map<String, Graph> graphs) {
        requests.configure(config, graphs);
        answers.configure(config, graphs);
    }

    @Override
    public ObjectMapper getMapper() {
        return answers.getMapper();
    }

    @Override
    public String[] mimeTypesSupported() {
        return new String[] {"application/vnd.gremlin-v2.0+json"};
    }

    @Override
    public RequestMessage deserializeRequest(ByteBuf message) throws SerializationException {
        return requests.deserializeRequest(message);
    }

    @Override
    public ByteBuf serializeRequestAsBinary(RequestMessage message, ByteBufAllocator allocator) throws SerializationException {
        return requests.serializeRequestAsBinary(message, allocator);
    }

    @Override
    public ResponseMessage deserializeResponse(ByteBuf message) throws SerializationException {
        return answers.deserializeResponse(message);
    }

    @Override
    public ByteBuf serializeResponseAsBinary(ResponseMessage message, ByteBufAllocator allocator) throws SerializationException {
        ByteBuf whole = answers.serializeResponseAsBinary(withStatus(message), allocator);
        try {
            byte[] bytes = new byte[whole.readableBytes()];
            whole.readBytes(bytes);
            JsonNode tree = PLAIN.readTree(bytes);
            simplify(tree.path("result").path("data"));
            return Unpooled.wrappedBuffer(PLAIN.writeValueAsBytes(tree));
        } catch (IOException e) {
            throw new SerializationException(e);
        } finally {
            whole.release();
        }
    }

    /** Gives vertices and edges their ids as they were written, without the partition key. */
    private static void simplify(JsonNode node) {
        String type = node.path("type").asText();
        if (node.isObject() && (type.equals("vertex") || type.equals("edge"))) {
            ObjectNode element = (ObjectNode) node;
            for (String name : new String[] {"id", "inV", "outV"}) {
                if (element.has(name)) {
                    String place = element.get(name).asText();
                    element.put(name, place.substring(place.indexOf('\n') + 1));
                }
            }
            JsonNode properties = element.path("properties");
            if (properties.isObject()) {
                ((ObjectNode) properties).remove("id");
            }
            return;
        }
        for (JsonNode child : node) {
            simplify(child);
        }
    }

    private static ResponseMessage withStatus(ResponseMessage message) {
        ResponseStatusCode code = message.getStatus().getCode();
        int status = code.getValue();
        String text = message.getStatus().getMessage();
        if (text != null && text.contains("with id already exists")) {
            status = 409;
        }
        if (code == ResponseStatusCode.AUTHENTICATE) {
            return message;
        }
        Map<String, Object> attributes = new HashMap<>(message.getStatus().getAttributes());
        attributes.put("x-ms-status-code", status);
        return ResponseMessage.build(message.getRequestId())
            .code(code).statusMessage(text).statusAttributes(attributes)
            .result(message.getResult().getData()).responseMetaData(message.getResult().getMeta()).create();
    }
}

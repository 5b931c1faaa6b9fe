package pkgen;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddEdgeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddVertexStartStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AddPropertyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.Parameters;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Makes a TinkerGraph behave as a graph of Azure Cosmos DB: a vertex without an id or
 * without the partition key is refused, ids are unique within a partition key,
 * g.V([key, id]) finds one vertex, and the partition key of a vertex does not change.
 *
 * A vertex is stored under its partition key, a line feed, and its id. The property "id"
 * is stored too, so that conditions and orders find it.
 */
public final class CosmosStrategy extends AbstractTraversalStrategy<TraversalStrategy.DecorationStrategy> implements TraversalStrategy.DecorationStrategy {
    private final String key;

    public CosmosStrategy(String key) {
        this.key = key;
    }

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
        for (Step<?, ?> step : traversal.getSteps()) {
            if (step instanceof GraphStep) {
                GraphStep<?, ?> start = (GraphStep<?, ?>) step;
                Object[] ids = start.getIds();
                if (start.returnsVertex() && ids.length == 2) {
                    start.clearIds();
                    start.addIds(place(ids[0], ids[1]));
                } else if (ids.length != 0) {
                    throw new IllegalArgumentException("this server reads vertices by [key, id] alone");
                }
            } else if (step instanceof AddVertexStartStep) {
                identify(((AddVertexStartStep) step).getParameters());
            } else if (step instanceof AddVertexStep) {
                identify(((AddVertexStep<?>) step).getParameters());
            } else if (step instanceof AddEdgeStep) {
                AddEdgeStep<?> add = (AddEdgeStep<?>) step;
                Parameters p = add.getParameters();
                List<Object> ids = p.get("id", () -> null);
                if (ids.size() != 1 || !(ids.get(0) instanceof String)) {
                    throw new IllegalArgumentException("Cannot add an edge without an id that is a text");
                }
                if (!p.contains(T.id)) {
                    p.set(add, T.id, __.values(key).concat("\n" + ids.get(0)));
                }
            } else if (step instanceof AddPropertyStep) {
                Parameters p = ((AddPropertyStep<?>) step).getParameters();
                List<Object> keys = p.get(T.key, () -> null);
                if (keys.contains(key) || keys.contains("id")) {
                    throw new IllegalArgumentException("the partition key and the id of a vertex do not change");
                }
            }
        }
    }

    private void identify(Parameters p) {
        List<Object> ids = p.get("id", () -> null);
        List<Object> keys = p.get(key, () -> null);
        if (ids.size() != 1 || !(ids.get(0) instanceof String)) {
            throw new IllegalArgumentException("Cannot add a vertex without an id that is a text");
        }
        if (keys.size() != 1 || !(keys.get(0) instanceof String)) {
            throw new IllegalArgumentException("Cannot add a vertex where the partition key property has value 'null'");
        }
        if (!p.contains(T.id)) {
            p.set(null, T.id, place(keys.get(0), ids.get(0)));
        }
    }

    private static String place(Object key, Object id) {
        return key + "\n" + id;
    }
}

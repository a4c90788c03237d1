package io.hintflow.transpiler.diagram;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.elk.alg.layered.options.EdgeLabelSideSelection;
import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.alg.layered.options.NodePlacementStrategy;
import org.eclipse.elk.alg.layered.options.OrderingStrategy;
import org.eclipse.elk.core.RecursiveGraphLayoutEngine;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeLabelPlacement;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.util.NullElkProgressMonitor;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkLabel;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * Where boxes lie, and the lines between them, in pixels from the top left corner. Neither boxes
 * nor labels overlap. Loads the layout library, which takes most of a second: only pictures may
 * need this class.
 *
 * @param boxes in the order in which their sizes were given
 * @param lines in the order in which the connections were given
 */
record Layout(double width, double height, List<Rectangle> boxes, List<Line> lines) {
  record Size(double width, double height) {}

  record Point(double x, double y) {}

  record Rectangle(double x, double y, double width, double height) {}

  /** A line to be drawn from one box to another, and the size of its label. */
  record Connection(int from, int to, Optional<Size> label) {}

  /**
   * @param points at least two; only horizontal and vertical lines between them
   * @param label its top left corner
   */
  record Line(List<Point> points, Optional<Point> label) {}

  private static final double PAGE_WIDTH = 1200;
  private static final double BETWEEN_BOXES = 36;
  private static final double BETWEEN_LAYERS = 44;
  private static final double BETWEEN_LINES = 16;

  /** Rows travel downwards; to the right where that would be too wide, and this is narrower. */
  static Layout of(List<Size> boxes, List<Connection> connections) {
    LayoutMetaDataService.getInstance()
        .registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
    Layout down = of(boxes, connections, Direction.DOWN);
    if (down.width() <= PAGE_WIDTH) {
      return down;
    }
    Layout right = of(boxes, connections, Direction.RIGHT);
    return right.width() < down.width() ? right : down;
  }

  private static Layout of(List<Size> boxes, List<Connection> connections, Direction direction) {
    ElkNode graph = graph(direction);
    List<ElkNode> nodes = new ArrayList<>();
    for (Size box : boxes) {
      ElkNode node = ElkGraphUtil.createNode(graph);
      node.setDimensions(box.width(), box.height());
      nodes.add(node);
    }
    List<ElkEdge> edges = new ArrayList<>();
    for (Connection connection : connections) {
      ElkEdge edge =
          ElkGraphUtil.createSimpleEdge(nodes.get(connection.from()), nodes.get(connection.to()));
      connection.label().ifPresent(size -> label(edge, size));
      edges.add(edge);
    }
    new RecursiveGraphLayoutEngine().layout(graph, new NullElkProgressMonitor());
    return new Layout(
        graph.getWidth(),
        graph.getHeight(),
        nodes.stream()
            .map(node -> new Rectangle(node.getX(), node.getY(), node.getWidth(), node.getHeight()))
            .toList(),
        edges.stream().map(Layout::line).toList());
  }

  private static ElkNode graph(Direction direction) {
    ElkNode graph = ElkGraphUtil.createGraph();
    graph.setProperty(CoreOptions.ALGORITHM, LayeredOptions.ALGORITHM_ID);
    graph.setProperty(LayeredOptions.DIRECTION, direction);
    graph.setProperty(LayeredOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
    graph.setProperty(LayeredOptions.EDGE_LABELS_SIDE_SELECTION, EdgeLabelSideSelection.ALWAYS_UP);
    graph.setProperty(LayeredOptions.PADDING, new ElkPadding(0));
    // As in the script, where that costs no crossings.
    graph.setProperty(LayeredOptions.CONSIDER_MODEL_ORDER_STRATEGY, OrderingStrategy.PREFER_NODES);
    graph.setProperty(
        LayeredOptions.NODE_PLACEMENT_STRATEGY, NodePlacementStrategy.NETWORK_SIMPLEX);
    graph.setProperty(LayeredOptions.SPACING_NODE_NODE, BETWEEN_BOXES);
    graph.setProperty(LayeredOptions.SPACING_COMPONENT_COMPONENT, BETWEEN_BOXES);
    graph.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, BETWEEN_LAYERS);
    graph.setProperty(LayeredOptions.SPACING_EDGE_EDGE, BETWEEN_LINES);
    graph.setProperty(LayeredOptions.SPACING_EDGE_EDGE_BETWEEN_LAYERS, BETWEEN_LINES);
    graph.setProperty(LayeredOptions.SPACING_EDGE_NODE, BETWEEN_LINES);
    graph.setProperty(LayeredOptions.SPACING_EDGE_NODE_BETWEEN_LAYERS, BETWEEN_LINES);
    return graph;
  }

  private static void label(ElkEdge edge, Size size) {
    // One without text would not be given a place.
    ElkLabel label = ElkGraphUtil.createLabel("label", edge);
    label.setDimensions(size.width(), size.height());
    label.setProperty(LayeredOptions.EDGE_LABELS_PLACEMENT, EdgeLabelPlacement.CENTER);
  }

  private static Line line(ElkEdge edge) {
    ElkEdgeSection section = edge.getSections().get(0);
    List<Point> points = new ArrayList<>();
    points.add(new Point(section.getStartX(), section.getStartY()));
    section.getBendPoints().forEach(bend -> points.add(new Point(bend.getX(), bend.getY())));
    points.add(new Point(section.getEndX(), section.getEndY()));
    return new Line(
        List.copyOf(points),
        edge.getLabels().stream().map(label -> new Point(label.getX(), label.getY())).findFirst());
  }
}

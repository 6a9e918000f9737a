package node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * One OpenSearch node on 127.0.0.1: {@code SingleNode HOME DATA REPOSITORIES}. Its HTTP port is {@code -Dnode.port}, else one of its own
 * choice.
 *
 * <p>Prints {@code READY VERSION PORT} once it answers and ends with its standard input, so that it never outlives
 * the test that started it.
 */
final class SingleNode extends Node {
  private SingleNode(Environment environment) {
    super(environment, List.of(module(Netty4ModulePlugin.class), module(CommonAnalysisModulePlugin.class)), false);
  }

  private static PluginInfo module(Class<?> plugin) {
    String name = plugin.getName();
    return new PluginInfo(name, "a module of OpenSearch", "NA", Version.CURRENT, "21", name, null, List.of(), false);
  }

  public static void main(String[] arguments) throws Exception {
    Settings settings =
        Settings.builder()
            .put("path.home", arguments[0])
            .put("path.data", arguments[1])
            .put("path.repo", arguments[2])
            .put("cluster.name", "postern-test")
            .put("node.name", "node")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", System.getProperty("node.port", "0"))
            .put("transport.port", "0")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            // A test must not fail because the disk of its machine is nearly full.
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("cluster.max_shards_per_node", 5000)
            .build();
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), Path.of(arguments[0], "config"), () -> "node");
    try (SingleNode node = new SingleNode(environment)) {
      node.start();
      int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
      System.out.println("READY " + Version.CURRENT + " " + port);
      System.out.flush();
      while (System.in.read() >= 0) {}
    }
    System.exit(0);
  }
}

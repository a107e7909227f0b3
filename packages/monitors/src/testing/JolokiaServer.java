import com.sun.net.httpserver.HttpServer;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import javax.management.ObjectName;
import org.jolokia.backend.BackendManager;
import org.jolokia.config.ConfigKey;
import org.jolokia.config.Configuration;
import org.jolokia.http.HttpRequestHandler;
import org.jolokia.restrictor.AllowAllRestrictor;
import org.jolokia.util.LogHandler;

/** Jolokia's own core, as its agents have it, behind the JDK's web server: the agents are not packaged everywhere. */
public class JolokiaServer {
  public interface ShopMBean {
    int getOpenCarts();

    long getOrders();
  }

  public static class Shop implements ShopMBean {
    private final long begun = System.nanoTime();

    public int getOpenCarts() {
      return 7;
    }

    /** A hundred a second. */
    public long getOrders() {
      return (System.nanoTime() - begun) / 10_000_000;
    }
  }

  public static void main(String[] arguments) throws Exception {
    ManagementFactory.getPlatformMBeanServer().registerMBean(new Shop(), new ObjectName("shop:type=Shop"));
    Configuration configuration = new Configuration(ConfigKey.AGENT_ID, "test");
    LogHandler log = new LogHandler.StdoutLogHandler(false);
    HttpRequestHandler handler =
        new HttpRequestHandler(
            configuration, new BackendManager(configuration, log, new AllowAllRestrictor()), log);
    HttpServer server =
        HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
    server.createContext(
        "/jolokia",
        exchange -> {
          String answer;
          try {
            answer =
                handler
                    .handlePostRequest("/jolokia", exchange.getRequestBody(), "utf-8", new HashMap<>())
                    .toJSONString();
          } catch (Throwable failure) {
            answer = handler.handleThrowable(failure).toJSONString();
          }
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }
}

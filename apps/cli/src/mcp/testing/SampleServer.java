import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small MCP server over standard streams in Java, of which it is known how it behaves; run as a program of its own by
 * tests, from its source.
 */
public class SampleServer {
    record Kept(int number, byte[] bytes) {}

    static final List<Kept> kept = new ArrayList<>();
    static final Pattern id = Pattern.compile("\"id\":(\\d+)");
    static final Pattern method = Pattern.compile("\"method\":\"([^\"]+)\"");
    static final Pattern tool = Pattern.compile("\"name\":\"([^\"]+)\"");
    static final Pattern version = Pattern.compile("\"protocolVersion\":\"([^\"]+)\"");

    public static void main(String[] words) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (first(id, line) == null) continue;
            System.out.println("{\"jsonrpc\":\"2.0\",\"id\":" + first(id, line) + ",\"result\":" + answer(line) + "}");
        }
    }

    static String answer(String line) {
        switch (first(method, line)) {
            case "initialize":
                return "{\"protocolVersion\":\"" + first(version, line)
                    + "\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"java-sample\",\"version\":\"1.0.0\"}}";
            case "tools/list":
                return "{\"tools\":[" + listed("squares") + "," + listed("keep") + "]}";
            case "tools/call":
                long result = first(tool, line).equals("keep") ? keep() : squares();
                return "{\"content\":[{\"type\":\"text\",\"text\":\"" + result + "\"}]}";
            default:
                return "{}";
        }
    }

    static String listed(String name) {
        return "{\"name\":\"" + name
            + "\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}";
    }

    static long squares() {
        long sum = 0;
        for (long number = 0; number < 5_000_000; number++) sum += number * number % 7;
        return sum;
    }

    static long keep() {
        kept.add(new Kept(kept.size(), new byte[20_000]));
        return kept.size();
    }

    static String first(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        return found.find() ? found.group(1) : null;
    }
}

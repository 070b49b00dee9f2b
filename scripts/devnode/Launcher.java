import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginBundle;
import org.elasticsearch.plugins.PluginsLoader;

/** Starts one node from a home folder and name=value settings, and ends with its parent. */
public final class Launcher {
    private static final long CLOSE_LIMIT_MILLIS = 8_000;

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings settings = settingsFrom(home, arguments);
        // First of all, so that a parent killed while this node still starts ends it too.
        daemon("parent-watch", Launcher::exitWithParent);
        LogConfigurator.configureESLogging();
        LogConfigurator.configureWithoutConfig(settings);
        Environment environment = InternalSettingsPreparer.prepareEnvironment(
            settings, Map.of(), home.resolve("config"), () -> "node-0");
        PluginsLoader plugins = PluginsLoader.createPluginsLoader(
            bundles("loadModulesBundles", environment.modulesDir()),
            bundles("loadPluginsBundles", environment.pluginsDir()),
            Map.of(),
            false);
        Node node = new Node(environment, plugins);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        node.start();
        Thread.currentThread().join();
    }

    private static Settings settingsFrom(Path home, String[] arguments) {
        Map<String, String> values = new HashMap<>();
        values.put("path.home", home.toString());
        for (String argument : Arrays.asList(arguments).subList(1, arguments.length)) {
            int equals = argument.indexOf('=');
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return Settings.builder().putProperties(values, key -> key).build();
    }

    /** One source for two server lines: the loaders take (path) in 8.19 and (path, boolean) in 9.5. */
    @SuppressWarnings("unchecked")
    private static Set<PluginBundle> bundles(String loader, Path folder) throws Exception {
        for (Method method : PluginsLoader.class.getMethods()) {
            if (method.getName().equals(loader)) {
                Object found = method.getParameterCount() == 1
                    ? method.invoke(null, folder)
                    : method.invoke(null, folder, false);
                return (Set<PluginBundle>) found;
            }
        }
        throw new NoSuchMethodException("PluginsLoader." + loader);
    }

    /** The parent holds the other end of our standard input; it closes however the parent ends. */
    private static void exitWithParent() {
        try {
            while (System.in.read() >= 0) { }
        } catch (IOException unreadable) {
            // Same meaning as the end of input: nobody is there any more.
        }
        System.exit(0);
    }

    private static void close(Node node) {
        daemon("close-limit", () -> {
            try {
                Thread.sleep(CLOSE_LIMIT_MILLIS);
            } catch (InterruptedException early) {
                return;
            }
            Runtime.getRuntime().halt(1);
        });
        try {
            node.close();
        } catch (IOException broken) {
            System.err.println("close failed: " + broken);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}

package dev.idgen.server.resp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code COMMAND} tells of the commands that there are: clients and their hints go by it. */
final class CommandTable {
  private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();

  static {
    ids("incr", 2, "Issues one id, as an integer.", "tag");
    ids("incrby", 3, "Issues ids that follow one another, and tells the last.", "tag", "count");
    ids("id.next", -2, "Issues ids as the tag writes them.", "tag", "[COUNT count]");
    server("id.inspect", 2, "Tells the fields of an id.", "text");
    connection("auth", -2, "Says who the caller is.", "[username]", "token");
    connection("client", -2, "Names the connection, and tells its number.", "subcommand");
    connection("echo", 2, "Sends a text back.", "message");
    connection("hello", -1, "Chooses RESP2 or RESP3.", "[protover]");
    connection("ping", -1, "Tells that the server answers.", "[message]");
    connection("quit", -1, "Ends the connection.");
    connection("select", 2, "Takes 0, the only one there is.", "index");
    server("command", -1, "Tells which commands there are.", "[subcommand]");
    server("config", -2, "Tells what a benchmark asks for.", "subcommand", "parameter");
    server("info", -1, "Tells about the server.", "[section]");
  }

  private CommandTable() {}

  /**
   * One command.
   *
   * @param arity how many arguments, its name included; negative: at least
   * @param flags of Redis
   * @param key whether its first argument names what it acts on
   */
  private record Entry(
      String name,
      int arity,
      List<String> flags,
      boolean key,
      String group,
      String summary,
      List<String> arguments) {}

  private static void ids(String name, int arity, String summary, String... arguments) {
    put(name, arity, List.of("write", "fast"), true, "generic", summary, arguments);
  }

  private static void connection(String name, int arity, String summary, String... arguments) {
    put(name, arity, List.of("loading", "stale", "fast"), false, "connection", summary, arguments);
  }

  private static void server(String name, int arity, String summary, String... arguments) {
    put(name, arity, List.of("loading", "stale"), false, "server", summary, arguments);
  }

  private static void put(
      String name,
      int arity,
      List<String> flags,
      boolean key,
      String group,
      String summary,
      String... arguments) {
    ENTRIES.put(name, new Entry(name, arity, flags, key, group, summary, List.of(arguments)));
  }

  /** Whether so many arguments are too few or too many for a command that there is. */
  static boolean refuses(String upper, int count) {
    Entry entry = ENTRIES.get(upper.toLowerCase(Locale.ROOT));
    return entry != null && (entry.arity > 0 ? count != entry.arity : count < -entry.arity);
  }

  static int count() {
    return ENTRIES.size();
  }

  static void names(Writer out) {
    out.array(ENTRIES.size());
    ENTRIES.keySet().forEach(out::ascii);
  }

  /** All, in the order of the documentation. */
  static void all(Writer out) {
    out.array(ENTRIES.size());
    ENTRIES.values().forEach(entry -> info(out, entry));
  }

  /** Some, and nothing for each that there is not. */
  static void info(Writer out, List<String> names) {
    out.array(names.size());
    for (String name : names) {
      Entry entry = ENTRIES.get(name);
      if (entry == null) {
        out.nothing();
      } else {
        info(out, entry);
      }
    }
  }

  private static void info(Writer out, Entry entry) {
    int key = entry.key ? 1 : 0;
    out.array(10);
    out.ascii(entry.name);
    out.integer(entry.arity);
    out.array(entry.flags.size());
    entry.flags.forEach(out::simple);
    out.integer(key); // the first key, the last one, and the distance between keys
    out.integer(key);
    out.integer(key);
    for (int i = 0; i < 4; i++) {
      out.array(0); // categories of rights, tips, specifications of keys, subcommands
    }
  }

  /**
   * What people read.
   *
   * @param names none: all
   */
  static void docs(Writer out, List<String> names) {
    List<Entry> entries = new ArrayList<>(ENTRIES.values());
    if (!names.isEmpty()) {
      entries.removeIf(entry -> !names.contains(entry.name));
    }
    out.map(entries.size());
    for (Entry entry : entries) {
      out.ascii(entry.name);
      docs(out, entry);
    }
  }

  private static void docs(Writer out, Entry entry) {
    out.map(entry.arguments.isEmpty() ? 3 : 4);
    out.ascii("summary");
    out.ascii(entry.summary);
    out.ascii("since");
    out.ascii("0.1.0");
    out.ascii("group");
    out.ascii(entry.group);
    if (!entry.arguments.isEmpty()) {
      out.ascii("arguments");
      out.array(entry.arguments.size());
      entry.arguments.forEach(name -> argument(out, name, entry.key));
    }
  }

  /** A name; in brackets where it can be left out, behind the word that goes before it. */
  private static void argument(Writer out, String shown, boolean keyed) {
    boolean optional = shown.startsWith("[");
    String bare = optional ? shown.substring(1, shown.length() - 1) : shown;
    int space = bare.indexOf(' ');
    String name = bare.substring(space + 1);
    out.map(2 + (space < 0 ? 0 : 1) + (optional ? 1 : 0));
    out.ascii("name");
    out.ascii(name);
    out.ascii("type");
    out.ascii(name.equals("count") ? "integer" : keyed && name.equals("tag") ? "key" : "string");
    if (space >= 0) {
      out.ascii("token");
      out.ascii(bare.substring(0, space));
    }
    if (optional) {
      out.ascii("flags");
      out.array(1);
      out.simple("optional");
    }
  }
}

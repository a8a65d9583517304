package dev.idgen.server.http;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code openapi.json}, and what is told of an answer that is not as it says. */
final class Contract {
  private static final String PROBLEM = "application/problem+json";
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  /** Of HTTP itself, and the same on every answer. */
  private static final Set<String> COMMON =
      Set.of("content-type", "content-length", "cache-control", "connection");

  private final JsonObject document;
  private final Map<String, Validator> validators = new HashMap<>();

  Contract(String document) {
    this.document = new JsonObject(document);
  }

  /** One call that the document describes. */
  record Operation(String method, String path, JsonObject item, JsonObject description) {
    String name() {
      return method + " " + path;
    }

    boolean takes(String sentMethod, String sentPath) {
      return method.equals(sentMethod) && sentPath.matches(path.replaceAll("\\{[^}]+}", "[^/]+"));
    }
  }

  List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    JsonObject paths = document.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      JsonObject item = paths.getJsonObject(path);
      for (String method : item.fieldNames()) {
        if (METHODS.contains(method)) {
          String name = method.toUpperCase(Locale.ROOT);
          all.add(new Operation(name, path, item, item.getJsonObject(method)));
        }
      }
    }
    return all;
  }

  /** The operation that a request is of: a path without braces comes before one with them. */
  Operation operation(String method, String path) {
    List<Operation> found =
        operations().stream().filter(operation -> operation.takes(method, path)).toList();
    return found.stream()
        .filter(operation -> !operation.path().contains("{") || found.size() == 1)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(method + " " + path + ": " + found));
  }

  /**
   * Every answer that is described: {@code GET /x 400 INVALID_BODY}, {@code GET /x 200 text/..}.
   */
  Set<String> answers() {
    Set<String> all = new TreeSet<>();
    for (Operation operation : operations()) {
      JsonObject responses = operation.description().getJsonObject("responses");
      for (String status : responses.fieldNames()) {
        JsonObject content = content(resolved(responses.getJsonObject(status)));
        for (String type : content.fieldNames()) {
          kinds(type, content.getJsonObject(type))
              .forEach(kind -> all.add(operation.name() + " " + status + " " + kind));
        }
        if (content.isEmpty()) {
          all.add(operation.name() + " " + status + " ");
        }
      }
    }
    return all;
  }

  private static JsonObject content(JsonObject response) {
    return response.getJsonObject("content", new JsonObject());
  }

  /** The reasons of a problem; otherwise the type. */
  private static List<String> kinds(String type, JsonObject media) {
    if (!type.equals(PROBLEM)) {
      return List.of(type);
    }
    Object reasons =
        JsonPointer.from("/allOf/1/properties/reason/enum")
            .queryJson(media.getJsonObject("schema"));
    return ((JsonArray) reasons).stream().map(Object::toString).toList();
  }

  /** The answer of an exchange, as {@link #answers} names it. */
  String answer(Exchange exchange) {
    Operation operation = operation(exchange.method(), exchange.path());
    String kind =
        exchange.type().equals(PROBLEM)
            ? new JsonObject(exchange.body()).getString("reason")
            : exchange.type();
    return operation.name() + " " + exchange.status() + " " + kind;
  }

  /** What is not as described; empty: nothing. */
  List<String> faults(Exchange exchange) {
    Operation operation = operation(exchange.method(), exchange.path());
    JsonObject responses = operation.description().getJsonObject("responses");
    JsonObject response = responses.getJsonObject(String.valueOf(exchange.status()));
    if (response == null) {
      return List.of(
          "status: " + exchange.status() + " (expected: " + responses.fieldNames() + ")");
    }
    JsonObject described = resolved(response);
    List<String> faults = new ArrayList<>();
    headers(exchange, described, faults);
    body(exchange, content(described), faults);
    if (exchange.status() < 400) {
      request(exchange, operation, faults);
    }
    return faults;
  }

  private void headers(Exchange exchange, JsonObject response, List<String> faults) {
    JsonObject headers = response.getJsonObject("headers", new JsonObject());
    Set<String> known = new HashSet<>(COMMON);
    for (String name : headers.fieldNames()) {
      String lower = name.toLowerCase(Locale.ROOT);
      JsonObject header = resolved(headers.getJsonObject(name));
      String value = exchange.headers().get(lower);
      known.add(lower);
      if (value != null) {
        schema(header.getJsonObject("schema"), typed(header, value), "header " + name, faults);
      } else if (header.getBoolean("required", false)) {
        faults.add("header " + name + ": absent (expected: one)");
      }
    }
    exchange.headers().keySet().stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> faults.add("header " + name + ": not described"));
  }

  private void body(Exchange exchange, JsonObject content, List<String> faults) {
    String type = exchange.type();
    if (content.isEmpty() || !content.containsKey(type)) {
      boolean none = content.isEmpty() && type.isEmpty() && exchange.body().isEmpty();
      if (!none) {
        faults.add("content-type: " + type + " (expected: " + content.fieldNames() + ")");
      }
      return;
    }
    boolean json = type.endsWith("json");
    Object value = json ? Json.decodeValue(exchange.body()) : exchange.body();
    schema(content.getJsonObject(type).getJsonObject("schema"), value, "body", faults);
    if (type.equals(PROBLEM) && ((JsonObject) value).getInteger("status") != exchange.status()) {
      faults.add("status of the problem: another one than " + exchange.status());
    }
  }

  /** What was sent and accepted has to be described, too. */
  private void request(Exchange exchange, Operation operation, List<String> faults) {
    int mark = exchange.target().indexOf('?');
    String query = mark < 0 ? "" : exchange.target().substring(mark + 1);
    for (String pair : query.isEmpty() ? new String[0] : query.split("&")) {
      String[] parts = pair.split("=", 2);
      JsonObject parameter = parameter(operation, parts[0]);
      if (parameter == null) {
        faults.add("parameter " + parts[0] + ": not described");
      } else {
        String value = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
        JsonObject schema = parameter.getJsonObject("schema");
        schema(schema, typed(parameter, value), "parameter " + parts[0], faults);
      }
    }
    JsonObject body = operation.description().getJsonObject("requestBody");
    JsonObject json =
        body == null ? null : content(resolved(body)).getJsonObject("application/json");
    if (json != null && !exchange.sent().isBlank()) {
      schema(json.getJsonObject("schema"), Json.decodeValue(exchange.sent()), "request", faults);
    } else if (json == null && body == null && !exchange.sent().isBlank()) {
      faults.add("request: a body (expected: none)");
    }
  }

  private @Nullable JsonObject parameter(Operation operation, String name) {
    JsonArray all = operation.item().getJsonArray("parameters", new JsonArray()).copy();
    all.addAll(operation.description().getJsonArray("parameters", new JsonArray()));
    return all.stream()
        .map(each -> resolved((JsonObject) each))
        .filter(each -> each.getString("in").equals("query") && each.getString("name").equals(name))
        .findFirst()
        .orElse(null);
  }

  /** A text of the wire, as what its schema speaks of. */
  private Object typed(JsonObject described, String value) {
    JsonObject schema = resolved(described.getJsonObject("schema"));
    Object type = schema.getValue("type");
    if ("integer".equals(type) && value.matches("-?[0-9]{1,18}")) {
      return Long.parseLong(value);
    }
    return "boolean".equals(type) && value.matches("true|false") ? Boolean.valueOf(value) : value;
  }

  private JsonObject resolved(JsonObject description) {
    String reference = description.getString("$ref");
    return reference == null
        ? description
        : (JsonObject) JsonPointer.fromURI(java.net.URI.create(reference)).queryJson(document);
  }

  private void schema(JsonObject schema, Object value, String what, List<String> faults) {
    OutputUnit result =
        validators.computeIfAbsent(schema.encode(), text -> validator(schema)).validate(value);
    if (!result.getValid()) {
      faults.add(what + ": " + value + ": " + errors(result));
    }
  }

  private static String errors(OutputUnit result) {
    List<OutputUnit> errors = result.getErrors();
    return errors == null ? "" : errors.stream().map(OutputUnit::getError).toList().toString();
  }

  /** A schema alone, with those that it refers to. */
  private Validator validator(JsonObject schema) {
    JsonObject schemas = document.getJsonObject("components").getJsonObject("schemas");
    JsonObject whole =
        new JsonObject()
            .put("allOf", new JsonArray().add(schema.copy()))
            .put("components", new JsonObject().put("schemas", schemas.copy()));
    JsonSchemaOptions options =
        new JsonSchemaOptions()
            .setDraft(Draft.DRAFT202012)
            .setBaseUri("https://idgen.example/")
            .setOutputFormat(OutputFormat.Basic);
    return Validator.create(JsonSchema.of(whole), options);
  }
}

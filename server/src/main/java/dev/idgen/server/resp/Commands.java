package dev.idgen.server.resp;

import dev.idgen.layout.Layout;
import dev.idgen.server.log.Log;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagInspector;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Does what a command says. One for each event loop. */
final class Commands {
  private static final Log LOG = Log.of("resp");
  private static final int MAX_BEFORE_AUTH = 32;
  private static final int MAX_NAME = 256;

  /** Of the Redis whose protocol this is: clients choose their ways by it. */
  private static final String REDIS_VERSION = "7.2.0";

  private final IdService service;
  private final Callers callers;
  private final RespLimits limits;
  private final InspectReply inspect;
  private final IntSupplier connections;
  private final TimeSource time;
  private final long begunNanos;

  /**
   * Commands of one event loop.
   *
   * @param connections how many are open, for {@code INFO}
   */
  Commands(
      IdService service,
      Callers callers,
      Layout layout,
      RespLimits limits,
      TimeSource time,
      IntSupplier connections) {
    this.service = service;
    this.callers = callers;
    this.limits = limits;
    this.inspect = new InspectReply(new TagInspector(service, layout, time));
    this.connections = connections;
    this.time = time;
    this.begunNanos = time.monotonicNanos();
  }

  /**
   * Does it, and answers once.
   *
   * @param room whether there is room for a large reply
   */
  void run(Decoder command, Session session, boolean room, Answers answers) {
    Caller caller = session.caller();
    try {
      if (caller == null) {
        introduce(command, session, answers);
      } else if (command.isIncr() && command.count() == 2) {
        answers.issued(service.issue(session.oneOf(command, caller)), Encoder.NUMBER);
      } else {
        run(command, session, caller, room, answers);
      }
    } catch (ServiceException e) {
      answers.now(Reply.refusal(e));
    } catch (RuntimeException e) {
      LOG.error("command failed", e, "command", command.name());
      answers.now(Reply.refusal(ServiceException.of(e)));
    }
  }

  /** Until it is known who calls, they may say so, or leave. */
  private void introduce(Decoder command, Session session, Answers answers) {
    if (session.countBeforeAuth() > MAX_BEFORE_AUTH) {
      answers.last(Reply.error("NOAUTH", "too many commands before AUTH"));
      return;
    }
    String name = command.name();
    switch (name) {
      case "AUTH" -> auth(command, session, answers);
      case "HELLO" -> hello(command, session, answers);
      case "QUIT" -> answers.last(Reply.OK);
      default -> {
        ServiceException refusal = unauthenticated("Authentication required");
        answers.now(Reply.refusal(isForIds(name) ? service.refused(refusal) : refusal));
      }
    }
  }

  private static boolean isForIds(String name) {
    return name.equals("INCR") || name.equals("INCRBY") || name.equals("ID.NEXT");
  }

  private static ServiceException unauthenticated(String what) {
    return new ServiceException(
        ServiceReason.UNAUTHENTICATED, what + " (expected: AUTH with a token of auth.tokens)");
  }

  private void run(Decoder command, Session session, Caller caller, boolean room, Answers answers) {
    String name = command.name();
    if (CommandTable.refuses(name, command.count())) {
      wrongArguments(name, answers);
      return;
    }
    switch (name) {
      case "INCRBY" -> incrBy(command, caller, answers);
      case "ID.NEXT" -> next(command, caller, room, answers);
      case "ID.INSPECT" -> answers.now(inspect.of(caller, command.text(1)));
      case "PING" -> ping(command, answers);
      case "ECHO" -> echo(command, answers);
      case "HELLO" -> hello(command, session, answers);
      case "AUTH" -> auth(command, session, answers);
      case "SELECT" -> select(command, answers);
      case "CLIENT" -> client(command, session, answers);
      case "COMMAND" -> commands(command, answers);
      case "CONFIG" -> config(command, answers);
      case "INFO" -> answers.now(info());
      case "QUIT" -> answers.last(Reply.OK);
      default -> answers.now(Reply.error("ERR", "unknown command '" + command.text(0) + "'"));
    }
  }

  private void wrongArguments(String name, Answers answers) {
    if (isForIds(name)) {
      countRefused(name + ": so many arguments (expected: others)");
    }
    answers.now(
        Reply.error(
            "ERR",
            "wrong number of arguments for '" + name.toLowerCase(Locale.ROOT) + "' command"));
  }

  private void countRefused(String detail) {
    var unused = service.refused(new ServiceException(ServiceReason.INVALID_BODY, detail));
  }

  private static void syntaxError(Answers answers) {
    answers.now(Reply.error("ERR", "syntax error"));
  }

  // ---- ids

  /** One id always follows itself; more of them only where the engine has such ids. */
  private void incrBy(Decoder command, Caller caller, Answers answers) {
    Count count = new Count("increment", command.text(2), Integer.MAX_VALUE);
    boolean one = command.text(2).equals("1");
    IssueRequest asked =
        IssueRequest.of(caller, command.text(1), count, one ? Shape.NUMBERS : Shape.CONTIGUOUS);
    answers.issued(service.issue(asked), one ? Encoder.NUMBER : Encoder.LAST);
  }

  private void next(Decoder command, Caller caller, boolean room, Answers answers) {
    boolean list = command.count() == 4 && command.is(2, "COUNT");
    if (!list && command.count() != 2) {
      countRefused("ID.NEXT: other arguments (expected: tag [COUNT n])");
      syntaxError(answers);
      return;
    }
    if (!room) {
      throw service.refused(
          new ServiceException(
              ServiceReason.OVERLOADED,
              "unsent replies: more than "
                  + limits.maxUnsentBytes()
                  + " bytes (expected: clients that fetch what they asked for)",
              1000));
    }
    Count count = list ? new Count("count", command.text(3), limits.maxCount()) : Count.ONE;
    answers.issued(
        service.issue(IssueRequest.of(caller, command.text(1), count, Shape.ANY)),
        list ? Encoder.LIST : Encoder.ONE);
  }

  // ---- what clients say when they connect

  private static void ping(Decoder command, Answers answers) {
    if (command.count() == 1) {
      answers.now(out -> out.simple("PONG"));
    } else if (command.count() == 2) {
      echo(command, answers);
    } else {
      answers.now(Reply.error("ERR", "wrong number of arguments for 'ping' command"));
    }
  }

  private static void echo(Decoder command, Answers answers) {
    byte[] sent = command.bytes(1);
    answers.now(out -> out.bytes(sent), sent.length);
  }

  private void auth(Decoder command, Session session, Answers answers) {
    int count = command.count();
    if (count < 2 || count > 3) {
      wrongArguments("AUTH", answers);
      return;
    }
    session.setCaller(caller(command.text(count - 1)));
    answers.now(Reply.OK);
  }

  /** The user's name is not looked at: the token alone says who it is. */
  private Caller caller(String token) {
    try {
      return callers.of(token);
    } catch (ServiceException e) {
      throw unauthenticated("token: unknown");
    }
  }

  private void hello(Decoder command, Session session, Answers answers) {
    boolean resp3 = session.resp3();
    if (command.count() > 1) {
      String version = command.text(1);
      if (!version.equals("2") && !version.equals("3")) {
        answers.now(Reply.error("NOPROTO", "unsupported protocol version"));
        return;
      }
      resp3 = version.equals("3");
    }
    Caller caller = session.caller();
    String name = session.name();
    for (int i = 2; i < command.count(); ) {
      if (command.is(i, "AUTH") && i + 2 < command.count()) {
        caller = caller(command.text(i + 2));
        i += 3;
      } else if (command.is(i, "SETNAME") && i + 1 < command.count()) {
        name = command.text(i + 1);
        i += 2;
      } else {
        answers.now(Reply.error("ERR", "syntax error in HELLO option '" + command.text(i) + "'"));
        return;
      }
    }
    if (caller == null) {
      throw unauthenticated(
          "HELLO must be called with the client already authenticated, otherwise the HELLO <proto>"
              + " AUTH <user> <pass> option can be used");
    }
    if (isNoName(name)) {
      answers.now(noName());
      return;
    }
    session.setCaller(caller);
    session.setName(name);
    session.setResp3(resp3);
    answers.now(helloReply(session.id(), resp3));
  }

  private static Reply helloReply(long id, boolean resp3) {
    return out -> {
      out.map(7);
      out.ascii("server");
      out.ascii("idgen");
      out.ascii("version");
      out.ascii(REDIS_VERSION);
      out.ascii("proto");
      out.integer(resp3 ? 3 : 2);
      out.ascii("id");
      out.integer(id);
      out.ascii("mode");
      out.ascii("standalone");
      out.ascii("role");
      out.ascii("master");
      out.ascii("modules");
      out.array(0);
    };
  }

  private static boolean isNoName(String name) {
    return name.length() > MAX_NAME || name.chars().anyMatch(c -> c <= ' ' || c > '~');
  }

  private static Reply noName() {
    return Reply.error(
        "ERR", "Client names cannot contain spaces, newlines or special characters.");
  }

  private static void select(Decoder command, Answers answers) {
    answers.now(
        command.text(1).equals("0") ? Reply.OK : Reply.error("ERR", "DB index is out of range"));
  }

  private static void client(Decoder command, Session session, Answers answers) {
    int count = command.count();
    if (command.is(1, "SETNAME") && count == 3) {
      String name = command.text(2);
      if (isNoName(name)) {
        answers.now(noName());
        return;
      }
      session.setName(name);
      answers.now(Reply.OK);
    } else if (command.is(1, "GETNAME") && count == 2) {
      String name = session.name();
      answers.now(name.isEmpty() ? Writer::nothing : out -> out.ascii(name));
    } else if (command.is(1, "SETINFO") && count == 4) {
      answers.now(Reply.OK); // which library it is, nobody asks here
    } else if (command.is(1, "ID") && count == 2) {
      answers.now(out -> out.integer(session.id()));
    } else {
      unknownSubcommand(command, answers);
    }
  }

  private static void unknownSubcommand(Decoder command, Answers answers) {
    answers.now(
        Reply.error(
            "ERR",
            "unknown subcommand or wrong number of arguments for '" + command.text(1) + "'"));
  }

  private static void commands(Decoder command, Answers answers) {
    if (command.count() == 1) {
      answers.now(CommandTable::all);
    } else if (command.is(1, "COUNT") && command.count() == 2) {
      answers.now(out -> out.integer(CommandTable.count()));
    } else if (command.is(1, "LIST") && command.count() == 2) {
      answers.now(CommandTable::names);
    } else if (command.is(1, "INFO") && command.count() == 2) {
      answers.now(CommandTable::all);
    } else if (command.is(1, "INFO")) {
      List<String> names = namesFrom(command, 2);
      answers.now(out -> CommandTable.info(out, names));
    } else if (command.is(1, "DOCS")) {
      List<String> names = namesFrom(command, 2);
      answers.now(out -> CommandTable.docs(out, names));
    } else {
      unknownSubcommand(command, answers);
    }
  }

  private static List<String> namesFrom(Decoder command, int first) {
    List<String> names = new ArrayList<>();
    for (int i = first; i < command.count(); i++) {
      names.add(command.text(i).toLowerCase(Locale.ROOT));
    }
    return names;
  }

  /** What benchmarks and consoles ask for; nothing can be set here. */
  private static void config(Decoder command, Answers answers) {
    if (!command.is(1, "GET") || command.count() < 3) {
      unknownSubcommand(command, answers);
      return;
    }
    List<String> names = namesFrom(command, 2);
    List<String> known = names.stream().filter(name -> !configured(name).equals("?")).toList();
    answers.now(
        out -> {
          out.map(known.size());
          for (String name : known) {
            out.ascii(name);
            out.ascii(configured(name));
          }
        });
  }

  private static String configured(String name) {
    return switch (name) {
      case "save" -> "";
      case "appendonly" -> "no";
      case "databases" -> "1";
      default -> "?";
    };
  }

  private Reply info() {
    String text =
        "# Server\r\n"
            + ("redis_version:" + REDIS_VERSION + "\r\n")
            + "server_name:idgen\r\n"
            + "redis_mode:standalone\r\n"
            + ("uptime_in_seconds:" + (time.monotonicNanos() - begunNanos) / 1_000_000_000 + "\r\n")
            + "\r\n# Clients\r\n"
            + ("connected_clients:" + connections.getAsInt() + "\r\n")
            + "\r\n# Persistence\r\n"
            + "loading:0\r\n"
            + "\r\n# Replication\r\n"
            + "role:master\r\n"
            + "connected_slaves:0\r\n"
            + "\r\n# Cluster\r\n"
            + "cluster_enabled:0\r\n";
    return out -> out.ascii(text);
  }
}

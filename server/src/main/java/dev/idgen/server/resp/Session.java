package dev.idgen.server.resp;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.server.service.Tag;
import org.jspecify.annotations.Nullable;

/** What one client has said of itself. */
final class Session {
  private static final byte[] NONE = {};

  private final long id;
  private @Nullable Caller caller;
  private boolean resp3;
  private String name = "";
  private int beforeAuth;
  private byte[] lastTag = NONE;
  private @Nullable IssueRequest lastRequest;

  /**
   * A client that has said nothing yet.
   *
   * @param id unique within the process
   * @param caller who it is; null: it has to say so
   */
  Session(long id, @Nullable Caller caller) {
    this.id = id;
    this.caller = caller;
  }

  long id() {
    return id;
  }

  /** Who it is; null: that is not known yet. */
  @Nullable Caller caller() {
    return caller;
  }

  void setCaller(Caller known) {
    caller = known;
    lastRequest = null;
  }

  /** Counts a command before it is known who sends it. */
  int countBeforeAuth() {
    return ++beforeAuth;
  }

  boolean resp3() {
    return resp3;
  }

  void setResp3(boolean version3) {
    resp3 = version3;
  }

  String name() {
    return name;
  }

  void setName(String given) {
    name = given;
  }

  /** A request for one number of the tag that an argument names: most clients repeat themselves. */
  IssueRequest oneOf(Decoder command, Caller known) {
    IssueRequest last = lastRequest;
    if (last != null && command.is(1, lastTag)) {
      return last;
    }
    IssueRequest next = IssueRequest.of(known, command.text(1), Count.ONE, Shape.NUMBERS);
    if (command.length(1) <= Tag.MAX_LENGTH) { // what can be no tag's name is not worth its room
      lastTag = command.bytes(1);
      lastRequest = next;
    }
    return next;
  }
}

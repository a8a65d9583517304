package dev.idgen.store.etcd;

import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a member, from the {@code Date} of its HTTP replies: etcd tells its time nowhere
 * else. The date has whole seconds, so that a reading is right to half a second and half a round
 * trip; between readings monotonic time goes on from it. Of the store's thread alone.
 */
final class MemberClock implements StoreClock {
  /** How long one member is waited for, before the next is asked. */
  private static final int ANSWER_MS = 1_000;

  /** How many members are asked before the clock counts as unreadable. */
  private static final int MEMBERS_ASKED = 2;

  private static final long HALF_SECOND_MS = 500;
  private static final long NANOS_PER_MS = 1_000_000;

  /** Earlier, or later, no clock is: an answer that says so is none. */
  private static final long EARLIEST_MS = 1_577_836_800_000L; // 2020-01-01

  private static final long LATEST_MS = 7_258_118_400_000L; // 2200-01-01

  private final StoreAddress address;
  private final List<StoreAddress.Server> members;
  private final TimeSource time;
  private @Nullable HttpClient http;
  private int member;
  private long millis;
  private long readAtNanos;

  MemberClock(StoreAddress address, TimeSource time) {
    this.address = address;
    this.members = address.servers();
    this.time = time;
  }

  @Override
  public void refresh() {
    int asked = Math.min(MEMBERS_ASKED, members.size());
    for (int i = 1; i < asked; i++) {
      try {
        read();
        return;
      } catch (StoreException e) {
        member = (member + 1) % members.size(); // another one may have a better answer
      }
    }
    try {
      read();
    } catch (StoreException e) {
      member = (member + 1) % members.size();
      throw e;
    }
  }

  private void read() {
    StoreAddress.Server asked = members.get(member);
    long sent = time.monotonicNanos();
    long date = date(asked, answer(asked).headers().firstValue("Date").orElse(""));
    long received = time.monotonicNanos();
    millis = date + HALF_SECOND_MS;
    readAtNanos = sent + (received - sent) / 2;
  }

  @Override
  public long nowMillis() {
    return millis + (time.monotonicNanos() - readAtNanos) / NANOS_PER_MS;
  }

  private HttpResponse<Void> answer(StoreAddress.Server asked) {
    String scheme = address.encrypted() ? "https://" : "http://";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheme + asked + "/version"))
            .timeout(Duration.ofMillis(ANSWER_MS))
            .build();
    CompletableFuture<HttpResponse<Void>> reply =
        http().sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      HttpResponse<Void> response = reply.get(ANSWER_MS, TimeUnit.MILLISECONDS);
      if (response.statusCode() != 200) {
        throw StoreException.refused(
            explained(asked, "status " + response.statusCode() + " (expected: 200)"));
      }
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.refused(explained(asked, "interrupted (expected: an answer)"), e);
    } catch (ExecutionException | TimeoutException e) {
      throw StoreException.refused(
          explained(asked, "no answer: " + why(e) + " (expected: a server that answers)"), e);
    } finally {
      reply.cancel(true);
    }
  }

  private static String why(Exception e) {
    Throwable cause = e.getCause();
    return cause instanceof IOException && cause.getMessage() != null
        ? cause.getMessage()
        : cause == null ? ANSWER_MS + " ms have passed" : cause.getClass().getSimpleName();
  }

  /** What a date means; refused unless it is one that a clock can show. */
  static long date(StoreAddress.Server asked, String text) {
    try {
      long millis =
          Instant.ofEpochSecond(
                  DateTimeFormatter.RFC_1123_DATE_TIME
                      .parse(text)
                      .getLong(ChronoField.INSTANT_SECONDS))
              .toEpochMilli();
      if (millis >= EARLIEST_MS && millis < LATEST_MS) {
        return millis;
      }
    } catch (DateTimeParseException | ArithmeticException e) {
      throw StoreException.refused(unusable(asked, text), e);
    }
    throw StoreException.refused(unusable(asked, text));
  }

  private static String unusable(StoreAddress.Server asked, String text) {
    return explained(asked, "date: " + text + " (expected: one of 2020 to 2199)");
  }

  private static String explained(StoreAddress.Server asked, String what) {
    return "etcd: clock of " + asked + ": " + what;
  }

  private HttpClient http() {
    HttpClient client = http;
    if (client == null) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(Duration.ofMillis(ANSWER_MS));
      client = (address.encrypted() ? builder.sslContext(tls()) : builder).build();
      http = client;
    }
    return client;
  }

  private SSLContext tls() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, Trust.of(address).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw StoreException.refused("etcd: " + address + ": TLS: " + e, e);
    }
  }
}

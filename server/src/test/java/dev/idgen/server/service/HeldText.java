package dev.idgen.server.service;

import dev.idgen.text.Text;
import java.util.concurrent.CountDownLatch;

/** A text that takes as long to write as a test says. Thread-safe. */
public final class HeldText implements Text {
  private final Text inner;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  public HeldText(Text inner) {
    this.inner = inner;
  }

  /** Writes nothing until {@link #letGo}. */
  public void hold() {
    gate = new CountDownLatch(1);
  }

  /** Writes at once, again. */
  public void letGo() {
    gate.countDown();
  }

  private void pass() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String encode(long id) {
    pass();
    return inner.encode(id);
  }

  @Override
  public int encode(long id, byte[] into, int offset) {
    pass();
    return inner.encode(id, into, offset);
  }

  @Override
  public long decode(CharSequence text) {
    return inner.decode(text);
  }

  @Override
  public boolean isCanonical(CharSequence text) {
    return inner.isCanonical(text);
  }

  @Override
  public int length(long id) {
    return inner.length(id);
  }

  @Override
  public int lengthMax() {
    return inner.lengthMax();
  }

  @Override
  public boolean isOrdered() {
    return inner.isOrdered();
  }

  @Override
  public String name() {
    return inner.name();
  }
}

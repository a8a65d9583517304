package dev.idgen.inspect;

import dev.idgen.inspect.Candidate.Kind;
import dev.idgen.inspect.Judge.Verdict;
import dev.idgen.layout.Layout;
import dev.idgen.text.Text;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/**
 * 64-bit ids under every layout that is known.
 *
 * <p>Many layouts have the same widths and differ in the epoch only, so a number often has several
 * plausible readings. This cluster's own comes first; among the others a low sequence speaks for a
 * layout, and a time soon after its epoch against it.
 */
final class NumberReader {
  private static final int OWN_SCORE = 95;
  private static final int ASKED_SCORE = 90;
  private static final int ASKED_DOUBTFUL_SCORE = 50;
  private static final int OTHER_SCORE = 75; // less one for each better known layout
  private static final int SMALL_NUMBER_SCORE = 70;
  private static final int COCKROACH_SCORE = 60;
  private static final int AUTO_RANDOM_SCORE = 35;
  private static final int NOTEBOOK_SCORE = 30;
  private static final int NUMBER_SCORE = 25;
  private static final int DOUBTFUL_SCORE = 5;

  private static final int LOW_SEQUENCE_BONUS = 8;
  private static final int USUAL_FORM_BONUS = 12;
  private static final int EARLY_MALUS = 25;
  private static final int UNSURE_MALUS = 40;

  private static final int COUNTER_BITS = 40; // what a counter reaches in practice
  private static final int AUTO_RANDOM_BITS = 58;
  private static final int LOW_SEQUENCE_MIN_BITS = 6;
  private static final long LOW_SEQUENCE = 3;
  private static final long MINUTE_MILLIS = 60_000;
  private static final long DAY_MILLIS = 1440 * MINUTE_MILLIS;
  private static final long MONTH_MILLIS = 30 * DAY_MILLIS;

  private final KnownLayout own;
  private final List<KnownLayout> named = KnownLayout.named();

  NumberReader(Layout ownLayout) {
    own = KnownLayout.own(ownLayout);
  }

  /** Adds every plausible reading of a number below 2^63, and this cluster's own in any case. */
  void read(Candidate candidate) {
    for (NumberForm form : NumberForm.of(candidate.text)) {
      if (form.isPositive()) {
        readAll(candidate, form);
      }
    }
  }

  /** Adds the reading of any number below 2^64 under one layout, plausible or not. */
  static void readAs(Known asked, Candidate candidate) {
    for (NumberForm form : NumberForm.of(candidate.text)) {
      if (asked.fits(form.number())) {
        Instant time = asked.cut(form.number()).time();
        boolean plausible = time == null || candidate.judge.of(time).plausible();
        String reason =
            "asked for" + (time == null ? "" : "; " + candidate.judge.of(time).reason());
        add(candidate, form, asked, plausible ? ASKED_SCORE : ASKED_DOUBTFUL_SCORE, reason);
      }
    }
  }

  private void readAll(Candidate candidate, NumberForm form) {
    readOwn(candidate, form);
    int score = OTHER_SCORE;
    for (KnownLayout known : named) {
      if (known.fits(form.number()) && !known.layout().equals(own.layout())) {
        readNamed(candidate, form, known, score);
      }
      score--;
    }
    readCockroach(candidate, form);
    readAutoRandom(candidate, form);
    readNotebook(candidate, form);
    if (form.sure()) {
      readCounter(candidate, form);
    }
  }

  private void readOwn(Candidate candidate, NumberForm form) {
    if (!own.fits(form.number())) {
      return;
    }
    Verdict verdict = candidate.judge.of(own.layout().timeOf(form.bits()));
    boolean early = ageMillis(own, form) < MINUTE_MILLIS; // rather a counter's number
    if (verdict.plausible() && !early) {
      add(candidate, form, own, OWN_SCORE, "this cluster's layout; " + verdict.reason());
    } else if (form.sure()) {
      String doubt = early ? "its time is within a minute of the epoch" : verdict.reason();
      add(candidate, form, own, DOUBTFUL_SCORE, "this cluster's layout, but " + doubt);
    }
  }

  private static void readNamed(
      Candidate candidate, NumberForm form, KnownLayout known, int baseScore) {
    Verdict verdict = candidate.judge.of(known.layout().timeOf(form.bits()));
    long ageMillis = ageMillis(known, form);
    if (!verdict.plausible() || ageMillis < DAY_MILLIS) {
      return;
    }
    int score = baseScore;
    String reason = verdict.reason();
    if (ageMillis < MONTH_MILLIS) {
      score -= EARLY_MALUS;
      reason += ", though soon after the epoch";
    }
    if (hasLowSequence(known.layout(), form.bits())) {
      score += LOW_SEQUENCE_BONUS;
      reason += "; its sequence is low, as it mostly is";
    }
    if (known.kind().equals("tsid") && form.form().equals(Text.CROCKFORD.name())) {
      score += USUAL_FORM_BONUS;
      reason += "; it is written as these ids are";
    }
    add(candidate, form, known, score, reason);
  }

  private static boolean hasLowSequence(Layout layout, long id) {
    return layout.sequenceBits() >= LOW_SEQUENCE_MIN_BITS && layout.sequenceOf(id) <= LOW_SEQUENCE;
  }

  private static long ageMillis(KnownLayout known, NumberForm form) {
    Layout layout = known.layout();
    return layout.timeOf(form.bits()).toEpochMilli() - layout.epochMillis();
  }

  private static void readCockroach(Candidate candidate, NumberForm form) {
    boolean fromACounter = form.number().bitLength() <= COUNTER_BITS;
    if (!fromACounter) {
      readTimed(candidate, form, SpecialLayout.COCKROACHDB, COCKROACH_SCORE);
    }
  }

  private static void readNotebook(Candidate candidate, NumberForm form) {
    readTimed(candidate, form, SpecialLayout.NOTEBOOK, NOTEBOOK_SCORE);
  }

  private static void readTimed(
      Candidate candidate, NumberForm form, SpecialLayout special, int score) {
    Instant time = special.cut(form.number()).time();
    if (time != null && candidate.judge.of(time).plausible()) {
      add(candidate, form, special, score, candidate.judge.of(time).reason());
    }
  }

  private static void readAutoRandom(Candidate candidate, NumberForm form) {
    BigInteger increment = form.number().mod(BigInteger.ONE.shiftLeft(AUTO_RANDOM_BITS));
    boolean hasShard = form.number().bitLength() > AUTO_RANDOM_BITS;
    if (hasShard && increment.bitLength() <= COUNTER_BITS) {
      String reason = "a shard, and a counter far from its end";
      add(candidate, form, SpecialLayout.TIDB, AUTO_RANDOM_SCORE, reason);
    }
  }

  private static void readCounter(Candidate candidate, NumberForm form) {
    boolean small = form.number().bitLength() <= COUNTER_BITS;
    String reason = small ? "small enough for a counter" : "any number may come from a counter";
    Kind kind = new Kind("number", "plain number", form.form(), reason, "");
    var value = new ReadingField("value", form.number().toString(), Long.SIZE - 1);
    int score = small ? SMALL_NUMBER_SCORE : NUMBER_SCORE;
    candidate.add(kind, form.number(), List.of(value), null, score, reason);
  }

  private static void add(
      Candidate candidate, NumberForm form, Known known, int score, String reason) {
    Kind kind = new Kind(known.kind(), known.title(), form.form(), reason, known.note());
    Known.Cut cut = known.cut(form.number());
    int sureScore = form.sure() ? score : Math.max(0, score - UNSURE_MALUS);
    candidate.add(kind, form.number(), cut.fields(), cut.time(), sureScore, reason);
  }
}

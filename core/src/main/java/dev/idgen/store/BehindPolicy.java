package dev.idgen.store;

/** What a claim does when the claimer's clock lies below timestamps that were already given out. */
public enum BehindPolicy {
  /** Refuse until the clock has caught up. */
  REFUSE,
  /** Grant a lease above everything that was given out: the claimer goes on by monotonic time. */
  GO_ABOVE,
  /** Grant another worker id that never went that far. Order over the restart is lost. */
  OTHER_SLOT
}

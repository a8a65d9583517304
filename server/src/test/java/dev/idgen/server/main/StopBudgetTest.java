package dev.idgen.server.main;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.idgen.server.engine.StillTime;
import org.junit.jupiter.api.Test;

class StopBudgetTest {
  @Test
  void shareMs_ofWhatIsLeft_shrinksAndIsNeverNothing() {
    StillTime time = new StillTime(0);
    StopBudget budget = new StopBudget(time, 9_000);

    assertEquals(3_000, budget.shareMs(3));
    time.advance(3_000);
    assertEquals(3_000, budget.shareMs(2));
    time.advance(5_980);
    assertEquals(50, budget.shareMs(1));
    time.advance(100_000);
    assertEquals(50, budget.shareMs(4));
  }
}

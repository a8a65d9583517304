package dev.idgen.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A command that ran in this process.
 *
 * @param status its exit status
 * @param out what it printed
 * @param err what it printed beside that
 */
record Ran(int status, String out, String err) {

  static Ran of(String... arguments) {
    PrintStream realOut = System.out;
    PrintStream realErr = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int status = Main.run(arguments);
      return new Ran(status, text(out), text(err));
    } finally {
      System.setOut(realOut);
      System.setErr(realErr);
    }
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}

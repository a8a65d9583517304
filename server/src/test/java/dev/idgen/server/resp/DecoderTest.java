package dev.idgen.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
  private static final Caps CAPS = new Caps(Caps.MAX_ARGUMENTS, 64 << 10);

  private final Decoder decoder = new Decoder();

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  /** All commands that are whole, then what became of the rest. */
  private List<String> decoded(ByteBuf in) {
    List<String> all = new ArrayList<>();
    try {
      while (decoder.next(in, CAPS)) {
        all.add(command());
      }
    } catch (ProtocolFault e) {
      all.add("fault: " + e.getMessage());
      in.skipBytes(in.readableBytes());
    }
    return all;
  }

  private String command() {
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < decoder.count(); i++) {
      arguments.add(new String(decoder.bytes(i), StandardCharsets.ISO_8859_1));
    }
    return arguments.toString();
  }

  private List<String> decoded(String text) {
    return decoded(bytes(text));
  }

  @Test
  void next_arrays_givesTheirArguments() {
    assertEquals(
        List.of("[INCR, order]", "[PING]", "[ECHO, ]", "[]", "[]"),
        decoded(
            String.join(
                "",
                "*2\r\n$4\r\nINCR\r\n$5\r\norder\r\n",
                "*1\r\n$4\r\nPING\r\n",
                "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n",
                "*0\r\n",
                "*-1\r\n")));
  }

  @Test
  void next_binaryArgument_isTakenAsItIs() {
    assertEquals(List.of("[E, \r\n$1\r\0ÿ]"), decoded("*2\r\n$1\r\nE\r\n$7\r\n\r\n$1\r\0ÿ\r\n"));
  }

  @Test
  void next_lines_givesTheirWords() {
    assertEquals(
        List.of("[INCR, default]", "[ping]", "[]", "[incrby, a, 2]"),
        decoded("INCR default\r\nping\n\r\n \t incrby  a\t2 \r\n"));
  }

  @Test
  void next_notWhole_leavesAllOfIt() {
    String whole = "*2\r\n$4\r\nINCR\r\n$5\r\norder\r\n";
    for (int end = 0; end < whole.length(); end++) {
      ByteBuf in = bytes(whole.substring(0, end));
      assertFalse(decoder.next(in, CAPS), "up to " + end);
      assertEquals(0, in.readerIndex());
    }
    assertTrue(decoder.next(bytes(whole), CAPS));
  }

  @ParameterizedTest
  @CsvSource({
    "*2000000000\\r\\n, invalid multibulk length",
    "*2000000000, invalid multibulk length",
    "*1025\\r\\n, invalid multibulk length",
    "*\\r\\n, invalid multibulk length",
    "*x\\r\\n, invalid multibulk length",
    "*1x, invalid multibulk length",
    "*1\\rx, invalid multibulk length",
    "*00000000000001\\r\\n, invalid multibulk length",
    "*9223372036854775808\\r\\n, invalid multibulk length",
    "*1\\r\\n*1\\r\\n, 'expected ''$'', got ''*'''",
    "*1\\r\\n:1\\r\\n, 'expected ''$'', got '':'''",
    "*1\\r\\n\\0, 'expected ''$'', got ''\\x00'''",
    "*1\\r\\n$536870912\\r\\n, invalid bulk length",
    "*1\\r\\n$65536\\r\\n, invalid bulk length",
    "*1\\r\\n$-1\\r\\n, invalid bulk length",
    "*1\\r\\n$\\r\\n, invalid bulk length",
    "*1\\r\\n$4\\r\\nPINGxx, invalid bulk length",
    "SET \"a b\" 1\\r\\n, quotes in an inline request"
  })
  void next_noCommand_isAFault(String sent, String fault) {
    String text = sent.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
    assertEquals(List.of("fault: " + fault), decoded(text));
  }

  @Test
  void next_nestedArrays_isAFaultAtTheFirst() {
    assertEquals(List.of("fault: expected '$', got '*'"), decoded("*1\r\n".repeat(12_000)));
  }

  @Test
  void next_manyArgumentsOfAllowedSize_isAFaultTogether() {
    String argument = "$1000\r\n" + "x".repeat(1000) + "\r\n";
    assertEquals(List.of("fault: invalid bulk length"), decoded("*100\r\n" + argument.repeat(100)));
  }

  @Test
  void next_lineWithoutEnd_isAFault() {
    assertEquals(List.of(), decoded("x".repeat(1023)));
    assertEquals(List.of("fault: too big inline request"), decoded("x".repeat(1024)));
  }

  @Test
  void next_beforeAuth_isSmaller() {
    Caps caps = Caps.beforeAuth(RespFixture.LIMITS);
    assertThrows(ProtocolFault.class, () -> decoder.next(bytes("*11\r\n"), caps));
    assertThrows(ProtocolFault.class, () -> decoder.next(bytes("*2\r\n$8192\r\n"), caps));
    assertFalse(decoder.next(bytes("*10\r\n$4096\r\n"), caps));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "POST ",
        "get /",
        "Host: localhost\r\n",
        "host:",
        "OPTIONS * HTTP/1.1\r\n",
        "CONNECT a:1"
      })
  void next_http_isASilentFault(String sent) {
    var fault = assertThrows(ProtocolFault.class, () -> decoder.next(bytes(sent), CAPS));
    assertTrue(fault.silent());
  }

  @Test
  void isIncr_anyCase_isIt() {
    for (String name : List.of("INCR", "incr", "InCr")) {
      assertTrue(decoder.next(bytes(name + " a\r\n"), CAPS));
      assertTrue(decoder.isIncr(), name);
    }
    for (String name : List.of("INCS", "\tNCR", "INCRBY", "9NCR")) {
      assertTrue(decoder.next(bytes(name + " a\r\n"), CAPS));
      assertFalse(decoder.isIncr(), name);
    }
  }

  // ---- any bytes

  private static final long SEED = Long.getLong("idgen.seed", System.nanoTime());

  /** What is found does not depend on how the bytes arrive. */
  @Test
  void next_cutAnywhere_findsTheSame() {
    System.out.println("idgen.seed=" + SEED);
    Random random = new Random(SEED);
    for (int round = 0; round < 2_000; round++) {
      byte[] stream = stream(random, round % 3 == 0);
      List<String> whole = decoded(Unpooled.wrappedBuffer(stream));
      List<String> cut = cut(stream, random);
      assertEquals(whole, cut, "seed " + SEED + " round " + round + ": " + shown(stream));
    }
  }

  /** At each single place. */
  @Test
  void next_cutAtEachPlace_findsTheSame() {
    Random random = new Random(SEED);
    for (int round = 0; round < 50; round++) {
      byte[] stream = stream(random, round % 2 == 0);
      List<String> whole = decoded(Unpooled.wrappedBuffer(stream));
      for (int at = 1; at < stream.length; at++) {
        ByteBuf in = Unpooled.buffer().writeBytes(stream, 0, at);
        List<String> found = decoded(in);
        if (!hasFault(found)) {
          in.writeBytes(stream, at, stream.length - at);
          found.addAll(decoded(in));
        }
        assertEquals(whole, found, "seed " + SEED + " cut at " + at + ": " + shown(stream));
      }
    }
  }

  /** What is whole and sound is found as it was sent. */
  @Test
  void next_soundStreams_findsWhatWasSent() {
    Random random = new Random(SEED);
    for (int round = 0; round < 500; round++) {
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      List<String> sent = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        byte[][] arguments = arguments(random);
        stream.writeBytes(array(arguments));
        sent.add(
            Arrays.stream(arguments)
                .map(a -> new String(a, StandardCharsets.ISO_8859_1))
                .toList()
                .toString());
      }
      assertEquals(sent, decoded(Unpooled.wrappedBuffer(stream.toByteArray())), "seed " + SEED);
    }
  }

  private List<String> cut(byte[] stream, Random random) {
    List<String> found = new ArrayList<>();
    ByteBuf in = Unpooled.buffer();
    for (int at = 0; at < stream.length && !hasFault(found); ) {
      int more = Math.min(stream.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
      in.writeBytes(stream, at, more);
      at += more;
      found.addAll(decoded(in));
      in.discardReadBytes();
    }
    return found;
  }

  private static boolean hasFault(List<String> found) {
    return !found.isEmpty() && found.get(found.size() - 1).startsWith("fault: ");
  }

  private static byte[] stream(Random random, boolean mangled) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int i = random.nextInt(8); i >= 0; i--) {
      boolean line = random.nextInt(4) == 0;
      stream.writeBytes(line ? line(random) : array(arguments(random)));
    }
    byte[] bytes = stream.toByteArray();
    for (int changes = mangled ? 1 + random.nextInt(4) : 0; changes > 0; changes--) {
      bytes[random.nextInt(bytes.length)] = mangling(random);
    }
    return bytes;
  }

  private static byte mangling(Random random) {
    byte[] likely = "*$:-+0129\r\n \"G".getBytes(StandardCharsets.US_ASCII);
    return random.nextBoolean() ? likely[random.nextInt(likely.length)] : (byte) random.nextInt();
  }

  private static byte[] line(Random random) {
    String[] lines = {"PING\r\n", "INCR a\n", "\r\n", "ID.NEXT order COUNT 3\r\n", "  \n"};
    return lines[random.nextInt(lines.length)].getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[][] arguments(Random random) {
    byte[][] arguments = new byte[1 + random.nextInt(5)][];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = new byte[random.nextInt(30)];
      random.nextBytes(arguments[i]);
    }
    return arguments;
  }

  private static byte[] array(byte[]... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + arguments.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
    for (byte[] argument : arguments) {
      out.writeBytes(("$" + argument.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.writeBytes(argument);
      out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    return out.toByteArray();
  }

  private static String shown(byte[] stream) {
    return new String(stream, StandardCharsets.ISO_8859_1)
        .replace("\r", "\\r")
        .replace("\n", "\\n");
  }
}

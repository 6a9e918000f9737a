package bench;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.util.BytesRef;

/** The token streams of the microbenchmark (docs/formats/04 §1.1), checked against their SHA-256. */
public final class SeedStream {
  private static final int TOKENS = 1 << 21;
  private static final int VOCABULARY = TOKENS / 8;
  private static final int CHUNK = 1 << 16;
  private static final Map<String, String> SHA_256 =
      Map.of(
          "1", "199a9f50b17608d056d108aeb9fb6fa4d1ca3b1f5acd375b8fb7c322e316b559",
          "3", "9f99a1f4e159fc94ae5f7a371517488331d11c14344f09f4191f252dae7f212a",
          "6", "4a647fe27719dd3c1731db957a8e7199d98fe002f6d32496e659caed762e4254",
          "UUID", "2368457334e0825650afd693b18955adb5949e6ddf877a1e73e7e239fa4e2d2b");

  public final int tokensPerDocument;
  /** Tokens in stream order; views of chunks of 64 KiB, none across a border. */
  public final BytesRef[] tokens = new BytesRef[TOKENS];

  private byte[] chunk = new byte[0];
  private int used;

  /** The stream of a skew: 1, 3, 6 or UUID. Throws if its SHA-256 is not the published one. */
  public SeedStream(String skew) {
    Random random = new Random(42);
    tokensPerDocument = skew.equals("UUID") ? 1 : 1000;
    if (skew.equals("UUID")) {
      byte[] token = new byte[16];
      for (int i = 0; i < TOKENS; i++) {
        for (int k = 0; k < token.length; k++) token[k] = (byte) random.nextInt(256);
        tokens[i] = append(token);
      }
    } else {
      byte[][] vocabulary = new byte[VOCABULARY][];
      for (int i = 0; i < VOCABULARY; i++) {
        vocabulary[i] = new byte[random.nextDouble() < 0.75 ? 1 + random.nextInt(8) : 9 + random.nextInt(24)];
        random.nextBytes(vocabulary[i]);
      }
      double exponent = Double.parseDouble(skew);
      for (int i = 0; i < TOKENS; i++) {
        int index = (int) (VOCABULARY * Math.pow(random.nextDouble(), exponent));
        tokens[i] = append(vocabulary[Math.min(index, VOCABULARY - 1)]);
      }
    }
    check(skew);
  }

  private BytesRef append(byte[] token) {
    if (used + token.length > chunk.length) {
      chunk = new byte[CHUNK];
      used = 0;
    }
    System.arraycopy(token, 0, chunk, used, token.length);
    used += token.length;
    return new BytesRef(chunk, used - token.length, token.length);
  }

  private void check(String skew) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (BytesRef t : tokens) {
        digest.update((byte) t.length);
        digest.update(t.bytes, t.offset, t.length);
      }
      String sum = HexFormat.of().formatHex(digest.digest());
      if (!sum.equals(SHA_256.get(skew))) throw new IllegalStateException("skew " + skew + ": the tokens' SHA-256 is " + sum);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}

// Writes token_length_cases.jsonl (short limits), option_cases.jsonl (analyzers with options: long limits, stop words, payloads, term frequencies) and
// java_digit.tsv, bug_report_cases.jsonl (rows of docs/bug_reports.md), by running Lucene 10.4.0 itself.
//   java -cp "$(cat tests/java/target/classpath.txt)" DumpOptionCases.java <this folder>
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.core.*;
import org.apache.lucene.analysis.en.*;
import org.apache.lucene.analysis.miscellaneous.DelimitedTermFrequencyTokenFilter;
import org.apache.lucene.analysis.payloads.*;
import org.apache.lucene.analysis.standard.*;
import org.apache.lucene.analysis.tokenattributes.*;
import org.apache.lucene.util.BytesRef;

public class DumpOptionCases {
  static PrintWriter out;
  static String group = "options";

  static String q(CharSequence s) {
    StringBuilder b = new StringBuilder("\"");
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '"' || c == '\\') b.append('\\').append(c);
      else if (c < 0x20 || c > 0x7e) b.append(String.format("\\u%04x", (int) c));
      else b.append(c);
    }
    return b.append('"').toString();
  }

  static String hex(BytesRef b) {
    return b == null ? "" : HexFormat.of().formatHex(b.bytes, b.offset, b.offset + b.length);
  }

  /** A token is [term bytes in hex, start, end, increment, payload in hex, frequency]; "error": the token after the last one is refused. */
  static void run(Analyzer a, String name, int max, List<String> stop, String text) throws IOException {
    StringBuilder b = new StringBuilder("{\"analyzer\":\"" + name + "\",\"group\":\"" + group + "\",\"max\":" + max + ",\"stop\":[");
    for (int i = 0; i < stop.size(); i++) b.append(i == 0 ? "" : ",").append(q(stop.get(i)));
    b.append("],\"text\":" + q(text) + ",\"tokens\":[");
    TokenStream ts = a.tokenStream("f", text);
    TermToBytesRefAttribute t = ts.getAttribute(TermToBytesRefAttribute.class);
    OffsetAttribute o = ts.addAttribute(OffsetAttribute.class);
    PositionIncrementAttribute p = ts.addAttribute(PositionIncrementAttribute.class);
    PayloadAttribute pay = ts.getAttribute(PayloadAttribute.class);
    TermFrequencyAttribute freq = ts.addAttribute(TermFrequencyAttribute.class);
    boolean error = false;
    try {
      ts.reset();
      boolean first = true;
      while (ts.incrementToken()) {
        b.append(first ? "" : ",").append("[\"").append(hex(t.getBytesRef())).append("\",").append(o.startOffset()).append(",")
            .append(o.endOffset()).append(",").append(p.getPositionIncrement()).append(",\"")
            .append(hex(pay == null ? null : pay.getPayload())).append("\",").append(freq.getTermFrequency()).append("]");
        first = false;
      }
      ts.end();
      b.append("],\"end\":[").append(o.endOffset()).append(",").append(p.getPositionIncrement()).append("]}");
    } catch (IllegalArgumentException e) { // NumberFormatException included
      error = true;
      b.append("],\"error\":true}");
    }
    if (error) { try { ts.end(); } catch (Exception e) { } }
    ts.close();
    out.println(b);
  }

  static void all(String text) throws IOException {
    run(new StandardAnalyzer(), "standard", 255, List.of(), text);
    run(new WhitespaceAnalyzer(), "whitespace", 255, List.of(), text);
    run(new SimpleAnalyzer(), "simple", 255, List.of(), text);
    run(new KeywordAnalyzer(), "keyword", 255, List.of(), text);
    run(new EnglishAnalyzer(), "english", 255, List.of(), text);
  }

  static Analyzer delimited(int max, boolean payload) {
    return new Analyzer() {
      @Override protected TokenStreamComponents createComponents(String field) {
        Tokenizer t = new WhitespaceTokenizer(max);
        return new TokenStreamComponents(t, payload ? new DelimitedPayloadTokenFilter(t, '|', new IdentityEncoder())
            : new DelimitedTermFrequencyTokenFilter(t, '|'));
      }
    };
  }

  public static void main(String[] args) throws Exception {
    Path dir = Path.of(args[0]);
    try (PrintWriter w = new PrintWriter(Files.newBufferedWriter(dir.resolve("java_digit.tsv"), StandardCharsets.US_ASCII))) {
      w.print("# first char of each run of ten chars that Character.digit(char, 10) of Java " + System.getProperty("java.version") + " maps to 0..9 (hex)\n");
      for (int c = 0; c < 0x10000; c++) {
        if (Character.digit((char) c, 10) != 0) continue;
        for (int i = 0; i < 10; i++) if (Character.digit((char) (c + i), 10) != i) throw new IllegalStateException();
        w.print(Integer.toHexString(c).toUpperCase() + "\n");
      }
      int n = 0;
      for (int c = 0; c < 0x10000; c++) if (Character.digit((char) c, 10) == 0) n += 10; 
      int m = 0;
      for (int c = 0; c < 0x10000; c++) if (Character.digit((char) c, 10) >= 0) m++;
      if (n != m) throw new IllegalStateException();
    }
    out = new PrintWriter(Files.newBufferedWriter(dir.resolve("token_length_cases.jsonl"), StandardCharsets.US_ASCII));
    Random rnd = new Random(31);
    String[] alphabet = {"a", "B", "7", "3", "_", ".", "'", ",", ":", " ", " ", "\u00e9", "\u0130", "\u0301", "\u4e2d", "\u30ab",
        "\ud83d\ude00", "\ud801\udc00", "\u200d", "\ufe0f", "\ud83d", "\ude00", "\u05d0", "\"", "#", "\u20e3", "\u3000", "\u00a0"};
    List<String> texts = new ArrayList<>(List.of("", "a", "abcdef", "a.b.c", "aa.b", "aaa.b", "1,2,3,4,5", "foo_bar__baz", "____a____",
        "\ud801\udc00\ud801\udc01\ud801\udc02", "x\ud801\udc00y\ud801\udc01", "\ud83d", "a\ud83d", "a \ud83d", "ab\ud83d ", "\ud83d\ud83d\ude00",
        "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", "the quick brown fox", "don't can't e.g. U.S.A. 1,234.5", "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"));
    for (int i = 0; i < 120; i++) {
      StringBuilder b = new StringBuilder();
      int pool = 2 + rnd.nextInt(6), len = 1 + rnd.nextInt(40);
      String[] sub = new String[pool];
      for (int j = 0; j < pool; j++) sub[j] = alphabet[rnd.nextInt(alphabet.length)];
      for (int j = 0; j < len; j++) b.append(sub[rnd.nextInt(pool)]);
      texts.add(b.toString());
    }
    for (int max : new int[] {1, 2, 3, 4, 7, 16, 64}) {
      StandardAnalyzer s = new StandardAnalyzer();
      s.setMaxTokenLength(max);
      Analyzer w = new WhitespaceAnalyzer(max);
      for (String t : texts) {
        run(s, "standard", max, List.of(), t);
        if (max < 16) run(w, "whitespace", max, List.of(), t);
      }
    }
    out.close();
    out = new PrintWriter(Files.newBufferedWriter(dir.resolve("option_cases.jsonl"), StandardCharsets.US_ASCII));
    for (int max : new int[] {254, 256, 300, 1000, 5000, 1048576}) {
      StandardAnalyzer s = new StandardAnalyzer();
      s.setMaxTokenLength(max);
      Analyzer w = new WhitespaceAnalyzer(max);
      for (int n : new int[] {max - 1, max, max + 1}) {
        if (n > 6000) continue;
        for (String t : List.of("a".repeat(n) + ".b c", "x " + "a".repeat(n - 1) + "\ud801\udc00z", "_".repeat(n) + "b", "1".repeat(n) + ",5")) {
          run(s, "standard", max, List.of(), t);
          run(w, "whitespace", max, List.of(), t);
        }
      }
    }
    for (List<String> stop : List.of(List.of("the", "of", "a"), List.of("\u00e9t\u00e9", "quick"), List.of("The"), List.of("it's", "a.b", "1,000", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"))) {
      CharArraySet set = new CharArraySet(stop, false);
      Analyzer[] as = {new StandardAnalyzer(set), new StopAnalyzer(set), new EnglishAnalyzer(set)};
      String[] ns = {"standard", "stop", "english"};
      for (int i = 0; i < 3; i++)
        for (String t : List.of("", "the", "of the", "the quick of a fox the", "The THE the", "x", "\u00c9T\u00c9 \u00e9t\u00e9 ete quick", "it's IT'S its a.b A.B 1,000 end the",
            "a".repeat(34) + " b", "the the the of a a a of fox of the", "...", "quick", "the ".repeat(200) + "end", "end" + " of".repeat(200)))
          run(as[i], ns[i], 255, stop, t);
    }
    String[] payloads = {"", "a", "a|b", "a|", "|b", "|", "||", "a||b", "a|b|c", "a|b c|d e", "one|1 two three|3  four|", "caf\u00e9|\u00e9\u4e2d", "\u4e2d|\ud83d\ude00 x",
        "a|\ud83d", "a|\ude00b", "\ud83d|x", "a\ud83d|x\ufffd", "a\ufffd|\ufffd", "a|b\u00a0c d\u3000e|f", "A|B", "averyveryverylongtermof36characters|andalongpayloadtoo"};
    for (int max : new int[] {255, 1, 2, 3, 5}) for (String t : payloads) run(delimited(max, true), "delimited", max, List.of(), t);
    String[] freqs = {"", "a", "a|1", "a|2 b|3 c", "a|0", "a|-1", "a|-0", "a|", "a|x", "a|1x", "a|+1", "a| 1", "a|2147483647", "a|2147483648", "a|4294967297", "a|0002", "a|00000000000000000001",
        "|5", "a|1|2", "a|\u0663", "a|\uff15\uff16", "a|\ud835\udfd2", "a|1.0", "x y|2 z|bad w|3", "a|-2147483648", "a|-", "a|99999999999999999999", "a\ud83d|2", "a|\u07c3", "a|-5 b", "a|\u1e5f", "a|1a", "a|\ua8d9"};
    for (int max : new int[] {255, 3}) for (String t : freqs) run(delimited(max, false), "delimited_freq", max, List.of(), t);
    out.close();
    out = new PrintWriter(Files.newBufferedWriter(dir.resolve("bug_report_cases.jsonl"), StandardCharsets.US_ASCII));
    group = "6";
    for (int n : new int[] {1, 2, 63, 64, 127, 128, 129, 255, 300})
      for (String t : List.of("\ud801\udc00", "\ud840\udc00")) { all(t.repeat(n)); all("a" + t.repeat(n)); }
    group = "8";
    for (String t : List.of("\ud873\udd42", "\ud86e\udc37", "\ud86e\uddef", "\ud873\ude69", "\ud873\udd42\ud86e\udc37\ud86e\uddef\ud873\ude69", "a\ud873\udd42b", "\u4e2d\ud86e\udc37\u6587 \ud86e\uddefx")) all(t);
    group = "9";
    for (int n : new int[] {255, 256, 510, 511})
      for (String t : List.of("a".repeat(n), "a".repeat(n - 1) + "\ud801\udc00", "a".repeat(n - 2) + "\ud801\udc00b", "x " + "a".repeat(n) + " y", "a".repeat(n - 1) + "\ud83db", "a".repeat(254) + "\ud801\udc00" + "a".repeat(n - 255))) all(t);
    group = "13";
    for (String t : List.of("\u0627\u0644\u0633\u0644\u0627\u0645 \u0639\u0644\u064a\u0643\u0645\u060c \u0643\u064a\u0641 \u062d\u0627\u0644\u0643\u061f", "\u0645\u064f\u062d\u064e\u0645\u064e\u0651\u062f\u064c \u0640\u0640\u0640 \u0661\u0662\u066b\u0663\u066a", "\u05d1\u05b0\u05bc\u05e8\u05b5\u05d0\u05e9\u05b4\u05c1\u05d9\u05ea \u05e6\u05d4\"\u05dc \u05d2'\u05d9\u05e8\u05e4\u05d4",
        "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 \u0e01\u0e33 \u0e51\u0e52", "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab \ud55c\uae00abc", "abc \u0627\u0644\u0639\u0631\u0628\u064a\u0629 123 \u05e9\u05dc\u05d5\u05dd, (def) \u200f\u0661\u200e \u202bx\u202c", "\ufdfa\ufefb \ufe8d\ufedf")) all(t);
    group = "18";
    CharArraySet ofThe = new CharArraySet(List.of("of", "the"), false);
    for (String t : List.of("of the", "x", "the", "of the x of", "of the.  ")) {
      run(new StandardAnalyzer(ofThe), "standard", 255, List.of("of", "the"), t);
      run(new StopAnalyzer(ofThe), "stop", 255, List.of("of", "the"), t);
      run(new EnglishAnalyzer(ofThe), "english", 255, List.of("of", "the"), t);
    }
    out.close();
    for (int max : new int[] {0, -1, 1048577}) {
      try { new StandardAnalyzer().setMaxTokenLength(max); StandardAnalyzer s = new StandardAnalyzer(); s.setMaxTokenLength(max); s.tokenStream("f", "a").close(); System.out.println("standard accepts " + max); } catch (IllegalArgumentException e) { System.out.println("standard refuses " + max); }
      try { new WhitespaceAnalyzer(max).tokenStream("f", "a").close(); System.out.println("whitespace accepts " + max); } catch (IllegalArgumentException e) { System.out.println("whitespace refuses " + max); }
    }
  }
}

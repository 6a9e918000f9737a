package oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.MMapDirectory;

/**
 * oracle line-bench: one thread indexes line documents (title, date, body) as Lucene's own benchmark does: title (one
 * term), titleTokenized (stored), body once or more, id and date (stored). Answers commands, so that one warm JVM can
 * take turns with another engine.
 */
final class LineBench {
  static final String USAGE =
      "line-bench DOCS.txt [--stream]   (commands on standard input: run DOCS RAM_MB BODIES OUTDIR; one JSON line each)";

  private record Line(String title, String date, String body, String id) {}

  private final Path file;
  private final List<Line> lines; // null when streaming

  private LineBench(Path file, boolean stream) throws IOException {
    this.file = file;
    if (stream) {
      lines = null;
      return;
    }
    lines = new ArrayList<>();
    try (BufferedReader in = open()) {
      for (Line l = next(in, 0); l != null; l = next(in, lines.size())) lines.add(l);
    }
  }

  private BufferedReader open() throws IOException {
    return new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), 1 << 16);
  }

  private static Line next(BufferedReader in, int number) throws IOException {
    String s = in.readLine();
    if (s == null) return null;
    int a = s.indexOf('\t');
    int b = s.indexOf('\t', a + 1);
    if (a < 0 || b < 0) throw new Usage("line " + (number + 1) + " has fewer than three columns");
    String id = "00000" + Integer.toString(number, 36);
    return new Line(s.substring(0, a), s.substring(a + 1, b), s.substring(b + 1), id.substring(id.length() - 6));
  }

  static int run(List<String> argv) throws Exception {
    Args a = new Args(argv, Set.of("stream"), Set.of()).want(1, USAGE);
    LineBench bench = new LineBench(Path.of(a.positional.get(0)), a.has("stream"));
    System.out.println("{\"ready\": " + (bench.lines == null ? -1 : bench.lines.size()) + "}");
    System.out.flush();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String s = in.readLine(); s != null; s = in.readLine()) {
      String[] w = s.split(" ", 5);
      if (w.length != 5 || !w[0].equals("run")) throw new Usage("want: run DOCS RAM_MB BODIES OUTDIR, got: " + s);
      System.out.println(bench.once(Integer.parseInt(w[1]), Double.parseDouble(w[2]), Integer.parseInt(w[3]), Path.of(w[4])));
      System.out.flush();
    }
    return 0;
  }

  /** The fields of one document, made once and refilled. */
  private static final class Fields {
    final Field title = new StringField("title", "", Field.Store.NO);
    final Field titleTokenized = new TextField("titleTokenized", "", Field.Store.YES);
    final Field body = new Field("body", "", new FieldType(TextField.TYPE_NOT_STORED));
    final Field id = new StringField("id", "", Field.Store.YES);
    final Field date = new StringField("date", "", Field.Store.YES);
    final Document document = new Document();

    Fields(int bodies) {
      document.add(title);
      document.add(titleTokenized);
      for (int i = 0; i < bodies; i++) document.add(body);
      document.add(id);
      document.add(date);
    }

    Document set(Line l) {
      title.setStringValue(l.title);
      titleTokenized.setStringValue(l.title);
      body.setStringValue(l.body);
      id.setStringValue(l.id);
      date.setStringValue(l.date);
      return document;
    }
  }

  private String once(int docs, double ramMb, int bodies, Path out) throws IOException {
    Files.createDirectories(out);
    Builder.emptyDir(out);
    IndexWriterConfig c = new IndexWriterConfig(new StandardAnalyzer());
    c.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
    c.setRAMBufferSizeMB(ramMb);
    c.setMergePolicy(NoMergePolicy.INSTANCE);
    c.setMergeScheduler(new SerialMergeScheduler());
    c.setUseCompoundFile(false);
    System.gc();
    var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (MMapDirectory dir = new MMapDirectory(out)) {
      long cpu = process.getProcessCpuTime();
      long start = System.nanoTime();
      long chars = 0;
      int n = 0;
      IndexWriter w = new IndexWriter(dir, c);
      Fields fields = new Fields(bodies);
      if (lines != null) {
        for (; n < docs && n < lines.size(); n++) chars += add(w, fields, lines.get(n));
      } else {
        while (n < docs) { // the file again and again
          int before = n;
          try (BufferedReader in = open()) {
            for (Line l; n < docs && (l = next(in, n)) != null; n++) chars += add(w, fields, l);
          }
          if (n == before) break;
        }
      }
      long fed = System.nanoTime();
      w.commit();
      w.close();
      double seconds = (System.nanoTime() - start) / 1e9;
      cpu = process.getProcessCpuTime() - cpu;
      SegmentInfos infos = SegmentInfos.readLatestCommit(dir);
      long bytes = 0;
      for (String f : infos.files(true)) bytes += dir.fileLength(f);
      return String.format(
          Locale.ROOT,
          "{\"engine\": \"lucene\", \"docs\": %d, \"chars\": %d, \"seconds\": %.4f, \"feed_seconds\": %.4f, \"cpu_seconds\": %.3f,"
              + " \"segments\": %d, \"index_bytes\": %d}",
          n, chars, seconds, (fed - start) / 1e9, cpu / 1e9, infos.size(), bytes);
    }
  }

  /** Adds one document; returns the UTF-16 length of its title and body. */
  private static long add(IndexWriter w, Fields fields, Line l) throws IOException {
    w.addDocument(fields.set(l));
    return l.title.length() + l.body.length();
  }
}

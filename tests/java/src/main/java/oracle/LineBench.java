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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.MMapDirectory;

/**
 * oracle line-bench: indexes line documents (title, date, body) as Lucene's own benchmark does, with the
 * fields of LineFields, the body once or more. Answers commands, so that one warm JVM can take turns with another engine.
 */
final class LineBench {
  static final String USAGE =
      "line-bench DOCS.txt [--stream]   (commands on standard input: run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR; one JSON line each)";

  private final Path file;
  private final List<LineFields.Line> lines; // null when streaming

  private LineBench(Path file, boolean stream) throws IOException {
    this.file = file;
    if (stream) {
      lines = null;
      return;
    }
    lines = new ArrayList<>();
    try (BufferedReader in = open()) {
      for (LineFields.Line l = next(in, 0); l != null; l = next(in, lines.size())) lines.add(l);
    }
  }

  private BufferedReader open() throws IOException {
    return new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), 1 << 16);
  }

  private static LineFields.Line next(BufferedReader in, int number) throws IOException {
    String s = in.readLine();
    if (s == null) return null;
    return LineFields.Line.parse(s, number);
  }

  static int run(List<String> argv) throws Exception {
    Args a = new Args(argv, Set.of("stream"), Set.of()).want(1, USAGE);
    LineBench bench = new LineBench(Path.of(a.positional.get(0)), a.has("stream"));
    System.out.println("{\"ready\": " + (bench.lines == null ? -1 : bench.lines.size()) + "}");
    System.out.flush();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String s = in.readLine(); s != null; s = in.readLine()) {
      String[] w = s.split(" ", 7);
      if (w.length != 7 || !w[0].equals("run")) throw new Usage("want: run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR, got: " + s);
      var fields = new LineFields[Integer.parseInt(w[5])];
      if (fields.length > 1 && bench.lines == null) throw new Usage("several threads need the lines in memory");
      for (int i = 0; i < fields.length; i++) fields[i] = new LineFields(w[4], Integer.parseInt(w[3]));
      System.out.println(bench.once(Integer.parseInt(w[1]), Double.parseDouble(w[2]), fields, Path.of(w[6])));
      System.out.flush();
    }
    return 0;
  }

  /** One thread for each of `fields`. */
  private String once(int docs, double ramMb, LineFields[] fields, Path out) throws Exception {
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
      if (fields.length > 1) {
        chars = addInThreads(w, fields, docs);
        n = docs;
      } else if (lines != null) {
        for (; n < docs && !lines.isEmpty(); n++) chars += add(w, fields[0], lines.get(n % lines.size()), n);
      } else {
        while (n < docs) { // the file again and again
          int before = n;
          try (BufferedReader in = open()) {
            for (LineFields.Line l; n < docs && (l = next(in, n)) != null; n++) chars += add(w, fields[0], l, n);
          }
          if (n == before) break;
        }
      }
      long fed = System.nanoTime();
      w.flush();
      long flushed = System.nanoTime();
      w.commit();
      w.close();
      double seconds = (System.nanoTime() - start) / 1e9;
      cpu = process.getProcessCpuTime() - cpu;
      SegmentInfos infos = SegmentInfos.readLatestCommit(dir);
      long bytes = 0;
      for (String f : infos.files(true)) bytes += dir.fileLength(f);
      return String.format(
          Locale.ROOT,
          "{\"engine\": \"lucene\", \"docs\": %d, \"chars\": %d, \"seconds\": %.4f, \"feed_seconds\": %.4f, \"flush_seconds\": %.4f,"
              + " \"cpu_seconds\": %.3f, \"segments\": %d, \"index_bytes\": %d}",
          n, chars, seconds, (fed - start) / 1e9, (flushed - fed) / 1e9, cpu / 1e9, infos.size(), bytes);
    }
  }

  /** Each thread adds the blocks of lines that it gets hold of. */
  private long addInThreads(IndexWriter w, LineFields[] fields, int docs) throws Exception {
    final int block = 16;
    var next = new AtomicInteger();
    var failed = new AtomicReference<Exception>();
    var chars = new AtomicLong();
    var threads = new ArrayList<Thread>();
    for (LineFields own : fields) {
      var thread =
          new Thread(
              () -> {
                try {
                  long sum = 0;
                  for (int n = next.getAndAdd(block); n < docs; n = next.getAndAdd(block)) {
                    for (int i = n; i < Math.min(n + block, docs); i++) sum += add(w, own, lines.get(i % lines.size()), i);
                  }
                  chars.addAndGet(sum);
                } catch (IOException | RuntimeException e) {
                  failed.set(e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread t : threads) t.join();
    if (failed.get() != null) throw failed.get();
    return chars.get();
  }

  /** Adds one document; returns the UTF-16 length of its title and body. */
  private static long add(IndexWriter w, LineFields fields, LineFields.Line l, int number) throws IOException {
    w.addDocument(fields.fill(l, number));
    return l.title().length() + l.body().length();
  }
}

package bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.MMapDirectory;

/**
 * Indexes a file of JSON Lines that Jackson's streaming parser reads. Each thread takes a piece of whole lines, parses and
 * adds it. Commands on standard input: {@code run FILE RAM_MB THREADS OUTDIR}; one line of JSON each.
 */
public final class JsonLines {
  private static final int PIECE = 1 << 20;

  /** The file in pieces that end with a line. */
  private static final class Pieces implements AutoCloseable {
    private final InputStream in;
    private byte[] rest = new byte[0];

    Pieces(Path file) throws IOException {
      in = Files.newInputStream(file);
    }

    /** The next piece; empty at the end. */
    synchronized byte[] next() throws IOException {
      byte[] piece = Arrays.copyOf(rest, rest.length + PIECE);
      int n = in.readNBytes(piece, rest.length, PIECE);
      int end = rest.length + n;
      int cut = end;
      if (n == PIECE) {
        while (cut > 0 && piece[cut - 1] != '\n') cut--;
        if (cut == 0) throw new IOException("a line is longer than " + PIECE + " bytes");
      }
      rest = Arrays.copyOfRange(piece, cut, end);
      return Arrays.copyOf(piece, cut);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** The document of one thread, refilled for every object. */
  private static final class Fields {
    private final Field id = new StringField("id", "", Field.Store.YES);
    private final Field title = new TextField("title", "", Field.Store.YES);
    private final Field date = new StringField("date", "", Field.Store.YES);
    private final Field body = new TextField("body", "", Field.Store.NO);
    private final LongField number = new LongField("number", 0, Field.Store.NO);
    private final Document document = new Document();

    Fields() {
      for (Field f : List.of(id, title, date, body, number)) document.add(f);
    }

    /** Adds all objects of a piece; returns how many. */
    int add(IndexWriter writer, JsonFactory json, byte[] piece) throws IOException {
      int n = 0;
      try (JsonParser p = json.createParser(piece)) {
        for (; p.nextToken() == JsonToken.START_OBJECT; n++) {
          for (String name = p.nextFieldName(); name != null; name = p.nextFieldName()) {
            p.nextToken();
            switch (name) {
              case "id" -> id.setStringValue(p.getText());
              case "title" -> title.setStringValue(p.getText());
              case "date" -> date.setStringValue(p.getText());
              case "body" -> body.setStringValue(p.getText());
              case "number" -> number.setLongValue(p.getLongValue());
              default -> throw new IOException("unknown field " + name);
            }
          }
          writer.addDocument(document);
        }
      }
      return n;
    }
  }

  private static String index(Path file, double ramMb, int threads, Path out) throws Exception {
    Files.createDirectories(out);
    try (DirectoryStream<Path> old = Files.newDirectoryStream(out)) {
      for (Path p : old) Files.delete(p);
    }
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
    config.setRAMBufferSizeMB(ramMb);
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    config.setMergeScheduler(new SerialMergeScheduler());
    config.setUseCompoundFile(false);
    System.gc();
    long start = System.nanoTime();
    try (MMapDirectory directory = new MMapDirectory(out)) {
      try (IndexWriter writer = new IndexWriter(directory, config); Pieces pieces = new Pieces(file)) {
        JsonFactory json = new JsonFactory();
        var failed = new AtomicReference<Exception>();
        var running = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
          running.add(
              Thread.ofPlatform().start(
                  () -> {
                    try {
                      Fields fields = new Fields();
                      for (byte[] piece = pieces.next(); piece.length > 0; piece = pieces.next()) fields.add(writer, json, piece);
                    } catch (IOException | RuntimeException e) {
                      failed.set(e);
                    }
                  }));
        }
        for (Thread t : running) t.join();
        if (failed.get() != null) throw failed.get();
        writer.commit();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      long bytes = 0;
      for (String f : infos.files(true)) bytes += directory.fileLength(f);
      return String.format(Locale.ROOT, "{\"docs\": %d, \"seconds\": %.4f, \"segments\": %d, \"index_bytes\": %d}",
          infos.totalMaxDoc(), seconds, infos.size(), bytes);
    }
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] w = line.split(" ", 5);
      if (w.length != 5 || !w[0].equals("run")) throw new IllegalArgumentException("want: run FILE RAM_MB THREADS OUTDIR, got: " + line);
      System.out.println(index(Path.of(w[1]), Double.parseDouble(w[2]), Integer.parseInt(w[3]), Path.of(w[4])));
      System.out.flush();
    }
  }
}

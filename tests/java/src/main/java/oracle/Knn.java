package oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.MMapDirectory;

/**
 * Vectors in bulk: how fast Lucene builds their graph, and how much of the truth its search finds in an index. Vectors
 * and queries are files of components without any header: little-endian floats, or signed bytes.
 */
final class Knn {
  static final String RECALL_USAGE = "knn-recall INDEX FIELD QUERIES [--top 10]   (QUERIES: float32 or int8, as the field's)";
  static final String BENCH_USAGE =
      "knn-bench VECTORS DIMENSION float32|byte l2|cosine|dot_product|max_inner_product"
          + "   (commands on standard input: run VECTORS RAM_MB OUTDIR; one JSON line each)";

  /** Vectors of one kind in memory; one of the two arrays is null. */
  private record Vectors(float[][] floats, byte[][] bytes) {
    int size() {
      return floats != null ? floats.length : bytes.length;
    }
  }

  private static Vectors read(Path file, int dimension, boolean isByte) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int row = dimension * (isByte ? 1 : Float.BYTES);
    if (all.capacity() % row != 0) throw new Usage(file + " does not hold whole vectors of " + row + " bytes");
    int n = all.capacity() / row;
    float[][] floats = isByte ? null : new float[n][dimension];
    byte[][] bytes = isByte ? new byte[n][dimension] : null;
    for (int i = 0; i < n; i++) {
      if (isByte) {
        all.get(bytes[i]);
      } else {
        all.asFloatBuffer().get(floats[i]);
        all.position(all.position() + row);
      }
    }
    return new Vectors(floats, bytes);
  }

  static int recall(List<String> argv) throws Exception {
    Args a = new Args(argv, Set.of(), Set.of("top")).want(3, RECALL_USAGE);
    String field = a.positional.get(1);
    int top = a.getInt("top", 10);
    try (MMapDirectory dir = new MMapDirectory(Path.of(a.positional.get(0)));
        DirectoryReader reader = DirectoryReader.open(dir)) {
      FieldInfo info = null;
      for (LeafReaderContext leaf : reader.leaves()) {
        FieldInfo f = leaf.reader().getFieldInfos().fieldInfo(field);
        if (f != null && f.getVectorDimension() > 0) info = f;
      }
      if (info == null) throw new Usage("the index has no vectors in the field " + field);
      boolean isByte = info.getVectorEncoding() == VectorEncoding.BYTE;
      Vectors queries = read(Path.of(a.positional.get(2)), info.getVectorDimension(), isByte);
      IndexSearcher searcher = new IndexSearcher(reader);
      long found = 0;
      long wanted = 0;
      long visited = 0;
      for (int q = 0; q < queries.size(); q++) {
        Set<Integer> exact = exact(reader, info, queries, q, top);
        wanted += exact.size();
        ScoreDoc[] hits =
            searcher.search(
                    isByte
                        ? new KnnByteVectorQuery(field, queries.bytes[q], top)
                        : new KnnFloatVectorQuery(field, queries.floats[q], top),
                    top)
                .scoreDocs;
        for (ScoreDoc hit : hits) found += exact.contains(hit.doc) ? 1 : 0;
        for (LeafReaderContext leaf : reader.leaves()) {
          LeafReader r = leaf.reader();
          AcceptDocs all = AcceptDocs.fromLiveDocs(r.getLiveDocs(), r.maxDoc());
          visited +=
              (isByte
                      ? r.searchNearestVectors(field, queries.bytes[q], top, all, Integer.MAX_VALUE)
                      : r.searchNearestVectors(field, queries.floats[q], top, all, Integer.MAX_VALUE))
                  .totalHits.value();
        }
      }
      System.out.printf(
          Locale.ROOT, "{\"queries\": %d, \"top\": %d, \"recall\": %.5f, \"visited\": %.1f}%n", queries.size(), top,
          wanted == 0 ? 1.0 : (double) found / wanted, (double) visited / Math.max(1, queries.size()));
    }
    return 0;
  }

  /** The live documents that are truly nearest; at a tie the first ones. */
  private static Set<Integer> exact(DirectoryReader reader, FieldInfo info, Vectors queries, int q, int top) throws IOException {
    record Hit(float score, int doc) {}
    java.util.PriorityQueue<Hit> best =
        new java.util.PriorityQueue<>((x, y) -> x.score != y.score ? Float.compare(x.score, y.score) : Integer.compare(y.doc, x.doc));
    VectorSimilarityFunction similarity = info.getVectorSimilarityFunction();
    for (LeafReaderContext leaf : reader.leaves()) {
      LeafReader r = leaf.reader();
      FloatVectorValues f = queries.floats == null ? null : r.getFloatVectorValues(info.name);
      ByteVectorValues b = queries.bytes == null ? null : r.getByteVectorValues(info.name);
      int n = f != null ? f.size() : b != null ? b.size() : 0;
      for (int ord = 0; ord < n; ord++) {
        int doc = f != null ? f.ordToDoc(ord) : b.ordToDoc(ord);
        if (r.getLiveDocs() != null && !r.getLiveDocs().get(doc)) continue;
        float score =
            f != null
                ? similarity.compare(queries.floats[q], f.vectorValue(ord))
                : similarity.compare(queries.bytes[q], b.vectorValue(ord));
        best.add(new Hit(score, leaf.docBase + doc));
        if (best.size() > top) best.poll();
      }
    }
    Set<Integer> docs = new HashSet<>();
    for (Hit hit : best) docs.add(hit.doc);
    return docs;
  }

  static int bench(List<String> argv) throws Exception {
    Args a = new Args(argv, Set.of(), Set.of()).want(4, BENCH_USAGE);
    boolean isByte = a.positional.get(2).equals("byte");
    VectorSimilarityFunction similarity =
        Map.of(
                "l2", VectorSimilarityFunction.EUCLIDEAN, "cosine", VectorSimilarityFunction.COSINE, "dot_product",
                VectorSimilarityFunction.DOT_PRODUCT, "max_inner_product", VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT)
            .get(a.positional.get(3));
    if (similarity == null || !(isByte || a.positional.get(2).equals("float32"))) throw new Usage("usage: oracle " + BENCH_USAGE);
    Vectors vectors = read(Path.of(a.positional.get(0)), Integer.parseInt(a.positional.get(1)), isByte);
    boolean simd = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    System.out.println("{\"ready\": " + vectors.size() + ", \"vector_module\": " + simd + ", \"java\": \"" + Runtime.version() + "\"}");
    System.out.flush();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String s = in.readLine(); s != null; s = in.readLine()) {
      String[] w = s.split(" ", 4);
      if (w.length != 4 || !w[0].equals("run")) throw new Usage("want: run VECTORS RAM_MB OUTDIR, got: " + s);
      System.out.println(build(vectors, similarity, Integer.parseInt(w[1]), Double.parseDouble(w[2]), Path.of(w[3])));
      System.out.flush();
    }
    return 0;
  }

  private static String build(Vectors vectors, VectorSimilarityFunction similarity, int docs, double ramMb, Path out)
      throws IOException {
    Files.createDirectories(out);
    Builder.emptyDir(out);
    IndexWriterConfig c = new IndexWriterConfig();
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
      int n = Math.min(docs, vectors.size());
      IndexWriter w = new IndexWriter(dir, c);
      for (int i = 0; i < n; i++) {
        Document d = new Document();
        d.add(
            vectors.floats != null
                ? new KnnFloatVectorField("v", vectors.floats[i], similarity)
                : new KnnByteVectorField("v", vectors.bytes[i], similarity));
        w.addDocument(d);
      }
      w.commit();
      w.close();
      double seconds = (System.nanoTime() - start) / 1e9;
      cpu = process.getProcessCpuTime() - cpu;
      return String.format(
          Locale.ROOT, "{\"engine\": \"lucene\", \"docs\": %d, \"seconds\": %.4f, \"cpu_seconds\": %.3f, \"segments\": %d}", n,
          seconds, cpu / 1e9, SegmentInfos.readLatestCommit(dir).size());
    }
  }
}

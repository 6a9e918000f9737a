package org.apache.lucene.index;

import bench.SeedStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.Counter;
import org.apache.lucene.util.IntBlockPool;
import org.apache.lucene.util.Version;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The microbenchmark of docs/formats/04 §1 on Lucene's own term hash, which only classes of its package can reach. Every
 * thread has its own tokens, pools and hash. The time is that of one add.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(1 << 21)
public class TermHashBench {
  @Param({"1", "3", "6", "UUID"})
  public String skew;

  /** shared: Lucene 10.4 as it is. separate: the hash is given a pool of its own for the text of terms. */
  @Param({"shared", "separate"})
  public String pools;

  private SeedStream stream;
  private TermsHash hash;
  private TermsHashPerField field;

  @Setup(Level.Trial)
  public void makeTokens() {
    stream = new SeedStream(skew);
  }

  @Setup(Level.Invocation)
  public void newPools() throws IOException {
    var ints = new IntBlockPool.DirectAllocator();
    var bytes = new ByteBlockPool.DirectAllocator();
    var vectors = new TermVectorsConsumer(ints, bytes, null, null, null);
    hash = new FreqProxTermsWriter(ints, bytes, Counter.newCounter(), vectors);
    if (pools.equals("separate")) {
      hash.termBytePool = new ByteBlockPool(bytes);
      vectors.termBytePool = hash.termBytePool;
    }
    var options = IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
    var info =
        new FieldInfo(
            "body", 0, false, false, false, options, DocValuesType.NONE, DocValuesSkipIndexType.NONE, -1, Map.of(), 0, 0, 0, 0,
            VectorEncoding.FLOAT32, VectorSimilarityFunction.EUCLIDEAN, false, false);
    var state = new FieldInvertState(Version.LATEST.major, "body", options);
    state.setAttributeSource(new AttributeSource());
    field = new FreqProxTermsWriterPerField(state, hash, info, null);
    field.start(null, true);
  }

  @Benchmark
  public int indexSegment() throws IOException {
    addAll();
    return field.getNumTerms();
  }

  @Benchmark
  public int[] indexSegmentAndSort() throws IOException {
    addAll();
    field.sortTerms();
    return field.getSortedTermIDs();
  }

  private void addAll() throws IOException {
    int perDocument = stream.tokensPerDocument;
    int doc = 0;
    int inDoc = 0;
    for (BytesRef token : stream.tokens) {
      if (inDoc == perDocument) {
        field.finish();
        hash.startDocument();
        doc++;
        inDoc = 0;
      }
      field.add(token, doc);
      inDoc++;
    }
    field.finish();
  }
}

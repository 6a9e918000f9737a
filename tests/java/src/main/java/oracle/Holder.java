package oracle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;

/** oracle hold: keeps the write lock of an index, as an open IndexWriter does, until its input ends. */
final class Holder {
  static final String USAGE = "hold INDEX   (prints HOLDING, then waits for the end of standard input)";

  static int run(List<String> argv) throws IOException {
    Args a = new Args(argv, Set.of(), Set.of()).want(1, USAGE);
    try (Directory dir = FSDirectory.open(Path.of(a.positional.get(0)));
        Lock lock = dir.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      System.out.println("HOLDING");
      System.out.flush();
      while (System.in.read() >= 0) continue;
      lock.ensureValid();
    }
    return 0;
  }
}

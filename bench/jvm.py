"""Finds a JDK, builds bench/java with Maven when its sources changed, and makes command lines for it."""
import hashlib
import os
import pathlib
import re
import subprocess
import sys

JAVA = pathlib.Path(__file__).resolve().parent / "java"


def jdk():
    """$JAVA_HOME, else the newest JDK of at least 21 below /usr/lib/jvm."""
    found = []
    for home in [os.environ.get("JAVA_HOME"), *pathlib.Path("/usr/lib/jvm").glob("*")]:
        release = pathlib.Path(home or "/nonexistent") / "release"
        version = re.search(r'^JAVA_VERSION="(\d+)', release.read_text(), re.M) if release.is_file() else None
        if version and int(version[1]) >= 21 and (release.parent / "bin/javac").exists():
            found.append((int(version[1]), release.parent))
            if str(home) == os.environ.get("JAVA_HOME"):
                return release.parent
    if not found:
        sys.exit("bench: no JDK 21 or newer found; set JAVA_HOME")
    return max(found)[1]


def stamp():
    digest = hashlib.sha256()
    for path in [JAVA / "pom.xml", *sorted(JAVA.glob("src/**/*.java"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def class_path():
    """The class path of bench/java, built first when necessary."""
    target = JAVA / "target"
    done, listed = target / "stamp", target / "classpath.txt"
    if not done.exists() or done.read_text() != stamp():
        target.mkdir(exist_ok=True)
        built = subprocess.run(["mvn", "-q", "-B", "clean", "compile", "dependency:build-classpath", f"-Dmdep.outputFile={listed}"],
                               cwd=JAVA, env=os.environ | {"JAVA_HOME": str(jdk())}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        if built.returncode != 0:
            sys.exit(f"bench: Maven could not build bench/java:\n{built.stdout[-4000:]}")
        done.write_text(stamp())
    return f"{target / 'classes'}:{listed.read_text().strip()}"


def huge_page_options(on):
    return ["-XX:+UseTransparentHugePages"] if on else []


def command(main, *arguments, options=()):
    return [str(jdk() / "bin/java"), *options, "-cp", class_path(), main, *map(str, arguments)]

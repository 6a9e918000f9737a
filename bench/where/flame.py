"""Flame graphs as SVG files: one box a function, as wide as its share of the samples, its callees above it."""
import colorsys
import html
import re
import zlib

WIDTH, ROW, FONT = 1200, 17, 11
STYLE = """<style>
  .ground { fill: #ffffff; } .title { fill: #1d1d1f; font: 14px sans-serif; } .label { fill: #14161a; font: 11px sans-serif; pointer-events: none; }
  .box { stroke: #ffffff; stroke-width: 0.5; }
  @media (prefers-color-scheme: dark) { .ground { fill: #16181d; } .title { fill: #e8e8ea; } .box { stroke: #16181d; } }
</style>"""


class Node:
    def __init__(self):
        self.samples, self.children = 0, {}

    def add(self, stack, samples):
        """`stack`: outermost first."""
        self.samples += samples
        node = self
        for name in stack:
            node = node.children.setdefault(name, Node())
            node.samples += samples


def color(name):
    """Warm and light enough for dark letters; the same name has the same color everywhere."""
    h = zlib.crc32(name.encode())
    parts = colorsys.hls_to_rgb((18 + h % 38) / 360, 0.60 + h // 4096 % 16 / 100, 0.62 + h // 64 % 26 / 100)
    return "#" + "".join(f"{round(255 * p):02x}" for p in parts)


def short_name(function):
    """Without arguments, template arguments and return type."""
    name = re.sub(r"\(anonymous namespace\)::|\{lambda\([^{}]*\)#\d+\}", lambda m: "lambda" if m[0][0] == "{" else "", function)
    name = name.replace("operator<", "operator-less").replace("operator()", "call")
    while (shorter := re.sub(r"<[^<>]*>|\([^()]*\)", "", name)) != name:
        name = shorter
    name = re.sub(r"( const| \[clone.*)$", "", name).strip()
    return name.rsplit(" ", 1)[-1].replace("postern::", "") or function


def depth_of(node, smallest):
    return 1 + max((depth_of(c, smallest) for c in node.children.values() if c.samples >= smallest), default=0)


def write(path, root, title):
    smallest = max(1, root.samples / 1500)
    rows = depth_of(root, smallest)
    height = (rows + 3) * ROW
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">', STYLE,
           f'<rect class="ground" width="{WIDTH}" height="{height}"/>', f'<text class="title" x="8" y="18">{html.escape(title)}</text>']

    def draw(name, node, x, row):
        width = node.samples / root.samples * (WIDTH - 16)
        y = height - (row + 1) * ROW - 6
        label = html.escape(name[: int(width / (FONT * 0.56))]) if width > 30 else ""
        share = 100 * node.samples / root.samples
        out.append(f'<g><title>{html.escape(name)}: {share:.2f} %</title><rect class="box" x="{x:.1f}" y="{y}" width="{width:.1f}" '
                   f'height="{ROW - 1}" fill="{color(name)}"/>' + (f'<text class="label" x="{x + 3:.1f}" y="{y + 12}">{label}</text>' if label else "") + "</g>")
        for child_name, child in sorted(node.children.items(), key=lambda c: -c[1].samples):
            if child.samples >= smallest:
                draw(child_name, child, x, row + 1)
                x += child.samples / root.samples * (WIDTH - 16)

    draw("all", root, 8.0, 0)
    path.write_text("\n".join([*out, "</svg>", ""]))

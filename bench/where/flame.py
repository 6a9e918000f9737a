"""Flame graphs as SVG files: one box a function, as wide as its share of the samples, its callees above it."""
import html
import zlib

WIDTH, ROW, FONT = 1200, 17, 11
STYLE = """<style>
  :root { color-scheme: light dark; --ground: #ffffff; --ink: #1d1d1f; --line: #ffffff; }
  @media (prefers-color-scheme: dark) { :root { --ground: #16181d; --ink: #e8e8ea; --line: #16181d; } }
  .ground { fill: var(--ground); } text { font: 11px sans-serif; fill: #14161a; pointer-events: none; }
  text.title { fill: var(--ink); font-size: 14px; } rect.box { stroke: var(--line); stroke-width: 0.5; }
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
    return f"hsl({18 + h % 38}, {62 + h // 64 % 26}%, {60 + h // 4096 % 16}%)"


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
                   f'height="{ROW - 1}" fill="{color(name)}"/>' + (f'<text x="{x + 3:.1f}" y="{y + 12}">{label}</text>' if label else "") + "</g>")
        for child_name, child in sorted(node.children.items(), key=lambda c: -c[1].samples):
            if child.samples >= smallest:
                draw(child_name, child, x, row + 1)
                x += child.samples / root.samples * (WIDTH - 16)

    draw("all", root, 8.0, 0)
    path.write_text("\n".join([*out, "</svg>", ""]))

/** A Markdown link on one line: `[label](target)`. */
interface Link {
  label: string;
  target: string;
  start: number;
  end: number;
}

const MOST_LABEL = 300;
const MOST_TARGET = 500;

/** The links in a text, in one pass. */
export function linksOf(text: string): Link[] {
  const links: Link[] = [];
  for (let from = 0, middle = text.indexOf(']('); middle !== -1; middle = text.indexOf('](', middle + 2)) {
    const window = text.slice(Math.max(from, middle - MOST_LABEL), middle);
    const start = middle - window.length + window.lastIndexOf('[');
    const rest = text.slice(middle + 2, middle + 2 + MOST_TARGET);
    const length = rest.indexOf(')');
    if (!window.includes('[') || length === -1) continue;
    links.push({
      label: text.slice(start + 1, middle),
      target: rest.slice(0, length).trim().split(/\s/)[0]!,
      start,
      end: middle + 3 + length,
    });
    from = middle + 3 + length;
  }
  return links;
}

/** A text with its links replaced by their labels. */
export function unlinked(text: string): string {
  let [out, at] = ['', 0];
  for (const { label, start, end } of linksOf(text)) {
    out += text.slice(at, start) + label;
    at = end;
  }
  return out + text.slice(at);
}

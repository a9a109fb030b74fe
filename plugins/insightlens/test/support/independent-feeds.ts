/**
 * What the feeds say about cards, computed without the code of the module: by comparing every card with every product, the release
 * by the text of its version, cut from the end.
 */
export interface PlainCard extends Record<string, unknown> {
  id: string;
  type: string;
  name: string;
  version: string | null;
  suppliers: string[];
}
export interface Expected {
  /** Card, product and `ended` or `ending`. */
  ended: string[];
  /** Card and CVE. */
  exploited: string[];
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const company = (text: string): string =>
  plain(text).replace(/(?: (?:inc|corp|corporation|llc|ltd|co|company|foundation|se|ag|gmbh))+$/, '');

/** All ways to split a name into a product and a version, which begins with a digit, `v` and a digit, or is `LTS` and the like. */
function splits(name: string): [product: string, version: string | null][] {
  const found: [string, string | null][] = [[plain(name), null]];
  for (const { index } of name.matchAll(/\s+/g)) {
    const rest = name.slice(index).trim();
    if (/^(?:(?:v?\d\S*|r\d+|sp\d*|lts|ltsc|esr|update|u\d+|release|version)(?:\s+|$))+$/i.test(rest))
      found.push([plain(name.slice(0, index)), rest]);
  }
  return found;
}

interface Line {
  cycle: string;
  label: string;
  eol: string;
}

/** The releases of a page, read line by line. */
function linesOf(page: string): { title: string; names: string[]; lines: Line[] } {
  const head = page.split(/^---\s*$/m)[1]!;
  const title = /^title:\s*(.*)$/m
    .exec(head)![1]!
    .trim()
    .replace(/^["']|["']$/g, '');
  const alternate = /^alternate_urls:\n((?:\s*-\s.*\n)+)/m.exec(head)?.[1] ?? '';
  const names = [title, ...[...alternate.matchAll(/-\s*\/(\S+)/g)].map(([, url]) => url!)];
  const block = head.slice(head.search(/^releases:/m));
  const lines: Line[] = [];
  for (const part of block.split(/^\s*-\s+releaseCycle:/m).slice(1)) {
    const value = (key: string): string =>
      (new RegExp(`^\\s+${key}:\\s*(.*)$`, 'm').exec(part)?.[1] ?? '')
        .replace(/\s+#.*$/, '')
        .trim()
        .replace(/^["']|["']$/g, '');
    const cycle = part
      .split('\n')[0]!
      .replace(/\s+#.*$/, '')
      .trim()
      .replace(/^["']|["']$/g, '');
    const template =
      value('releaseLabel') || (/^releaseLabel:\s*(.*)$/m.exec(head)?.[1] ?? '').replace(/\{%.*?%\}/g, '');
    const label = template.replaceAll('__RELEASE_CYCLE__', cycle).replaceAll('__CODENAME__', value('codename'));
    lines.push({ cycle, label, eol: value('eol') });
  }
  return { title, names, lines };
}

const spaced = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .replace(/[^a-z0-9.]+/g, ' ')
    .trim();

/** Whether a label begins or ends with these words. */
const labelled = (label: string[], text: string[]): boolean =>
  text.every((word, i) => label[i] === word) || text.every((word, i) => label[label.length - text.length + i] === word);

/** The releases that a version may be: equal texts, then texts cut from the end at dots, then those that begin with it. */
function candidates(version: string, lines: readonly Line[]): Line[] {
  const text = spaced(version);
  const equal = lines.filter(
    ({ cycle, label }) =>
      spaced(cycle) === text || (label !== '' && labelled(spaced(label).split(' '), text.split(' '))),
  );
  if (equal.length > 0) return equal;
  const numbers = /^\d+(?:\.\d+)*(?=[a-z]?$| lts$)/.exec(text)?.[0];
  if (numbers === undefined) {
    return /^\d\dh[12]$/.test(text) ? lines.filter(({ cycle }) => spaced(cycle).split(' ').includes(text)) : [];
  }
  for (let cut = numbers; cut !== ''; cut = cut.includes('.') ? cut.slice(0, cut.lastIndexOf('.')) : '') {
    const same = lines.filter(({ cycle }) => /^\d+(?:\.\d+)*$/.test(spaced(cycle)) && spaced(cycle) === cut);
    if (same.length > 0) return same;
  }
  return lines.filter(({ cycle }) => spaced(cycle).startsWith(`${numbers}.`) && /^[\d.]+(?: |$)/.test(spaced(cycle)));
}

function stateOf(eol: string, day: string): string {
  if (eol === 'true') return 'ended';
  if (!/^\d{4}/.test(eol)) return eol === 'false' ? 'supported' : 'unknown';
  const days = (Date.parse(eol) - Date.parse(day)) / 86_400_000;
  return days < 0 ? 'ended' : days <= 180 ? 'ending' : 'supported';
}

/**
 * @param pages Markdown files of endoflife.date
 * @param kev text of the catalogue
 * @param day YYYY-MM-DD
 */
export function expectedOf(
  cards: readonly PlainCard[],
  pages: readonly { name: string; content: string }[],
  kev: string,
  day: string,
): Expected {
  const products = pages.map(({ name, content }) => ({ slug: name.replace('.md', ''), ...linesOf(content) }));
  const entries = (JSON.parse(kev) as { vulnerabilities: { cveID: string; vendorProject: string; product: string }[] })
    .vulnerabilities;
  const ended: string[] = [];
  const exploited: string[] = [];
  for (const card of cards) {
    const ways = splits(card.name).sort(([a], [b]) => b.length - a.length);
    const vendors = card.suppliers.map(company);
    const named = (key: string): typeof products =>
      products.filter(({ slug, names }) => [slug, ...names].some((one) => plain(one) === key));
    let hit: { slug: string; lines: Line[]; version: string | null } | undefined;
    for (const [key, rest] of ways) {
      const options = [
        key,
        ...vendors.flatMap((vendor) => [
          `${vendor} ${key}`,
          key.startsWith(`${vendor} `) ? key.slice(vendor.length + 1) : '-',
        ]),
      ];
      const match = options.map(named).find((found) => found.length > 0);
      if (!match) continue;
      if (match.length === 1) hit = { ...match[0]!, version: card.version ?? rest };
      break;
    }
    if (hit?.version) {
      const states = new Set(candidates(hit.version, hit.lines).map(({ eol }) => stateOf(eol, day)));
      if (states.size === 1 && (states.has('ended') || states.has('ending')))
        ended.push(`${card.id} ${hit.slug} ${[...states][0]!}`);
    }
    for (const [key] of ways) {
      const full = entries.filter(
        ({ vendorProject, product }) => `${company(vendorProject)} ${plain(product)}` === key,
      );
      const bySupplier = entries.filter(
        ({ vendorProject, product }) => plain(product) === key && vendors.includes(company(vendorProject)),
      );
      const hits = full.length > 0 ? full : bySupplier;
      exploited.push(...hits.map(({ cveID }) => `${card.id} ${cveID}`));
      if (hits.length > 0) break;
    }
  }
  return { ended: ended.sort(), exploited: exploited.sort() };
}

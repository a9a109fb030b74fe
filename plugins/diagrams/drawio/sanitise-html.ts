/** HTML labels reduced to an allow-list of elements, attributes and CSS. */
import { escapeHtml } from './label-text.js';
import { tokensOf, type HtmlAttribute, type HtmlToken } from './html.js';
import { sanitiseCss } from './sanitise-css.js';
import { imageKind, isActive, isAllowedLink } from './sanitise-url.js';

const ELEMENTS = new Set(
  (
    'a abbr b big blockquote br caption center cite code col colgroup dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins ' +
    'kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var wbr'
  ).split(' '),
);

/** Elements that are removed with their content; the content of others stays. */
const WITH_CONTENT = new Set(
  (
    'script style textarea title xmp iframe noembed noframes noscript plaintext svg math object embed applet template head ' +
    'select option frameset frame audio video canvas'
  ).split(' '),
);
const VOID = new Set('area base br col embed frame hr img input link meta param source track wbr'.split(' '));

const ATTRIBUTES = new Set(
  (
    'align bgcolor border cellpadding cellspacing char class color cols colspan dir face headers height hspace lang nowrap ' +
    'reversed rows rowspan scope size span start style summary title alt type valign value vspace width href src target rel'
  ).split(' '),
);

/** Called with the kind of what is removed and its name. */
export type OnRemoved = (
  kind: 'html_element' | 'html_attribute' | 'css' | 'link' | 'image' | 'comment',
  what: string,
) => void;

/** Whether images of other servers stay. */
export interface ImagePolicy {
  keepForeignImages: boolean;
}

const quoted = (value: string): string =>
  value.replace(/[&"<>]/g, (one) => ({ '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' })[one]!);

/** The value that an attribute keeps; undefined if it is removed. */
function keptValue({ name, value }: HtmlAttribute, policy: ImagePolicy, removed: OnRemoved): string | undefined {
  const refuse = (kind: Parameters<OnRemoved>[0]): undefined => void removed(kind, `${name}=${value.slice(0, 80)}`);
  if (!ATTRIBUTES.has(name)) return refuse('html_attribute');
  if (name === 'style') {
    const css = sanitiseCss(value, (what) => removed('css', what.slice(0, 80)));
    return css === '' && value !== '' ? undefined : css;
  }
  if (name === 'href') return isAllowedLink(value) ? value : refuse('link');
  if (name === 'src') {
    const kind = imageKind(value);
    return kind === 'embedded' || kind === 'library' || (kind === 'foreign' && policy.keepForeignImages)
      ? value
      : refuse('image');
  }
  return isActive(value) ? refuse('html_attribute') : value;
}

/** A start tag with the attributes that stay; its own text if all do. */
function keptTag(token: HtmlToken & { kind: 'open' }, policy: ImagePolicy, removed: OnRemoved): string {
  const names = new Set<string>();
  let isChanged = false;
  const kept: HtmlAttribute[] = [];
  for (const attribute of token.attributes) {
    // Of attributes with the same name browsers take the first.
    const value = names.has(attribute.name) ? undefined : keptValue(attribute, policy, removed);
    names.add(attribute.name);
    if (value !== attribute.value) isChanged = true;
    if (value !== undefined) kept.push({ name: attribute.name, value });
  }
  if (!isChanged) return token.raw;
  return `<${token.name}${kept.map(({ name, value }) => ` ${name}="${quoted(value)}"`).join('')}>`;
}

/** One pass over the HTML. What is removed can make a tag of its neighbours: see `sanitiseHtml`. */
function pass(html: string, policy: ImagePolicy, removed: OnRemoved): string {
  let out = '';
  let [skipped, depth] = ['', 0];
  for (const token of tokensOf(html)) {
    if (skipped !== '') {
      if (token.kind === 'open' && token.name === skipped) depth++;
      if (token.kind === 'close' && token.name === skipped && --depth === 0) skipped = '';
      continue;
    }
    if (token.kind === 'text') out += token.raw;
    else if (token.kind === 'comment') removed('comment', token.raw.slice(0, 80));
    else if (ELEMENTS.has(token.name))
      out += token.kind === 'open' ? keptTag(token, policy, removed) : `</${token.name}>`;
    else {
      removed('html_element', token.name.slice(0, 80));
      if (token.kind === 'open' && WITH_CONTENT.has(token.name) && !VOID.has(token.name))
        [skipped, depth] = [token.name, 1];
    }
  }
  return out;
}

const MAX_PASSES = 8;

/**
 * Sanitises the HTML of a label.
 * @param removed called for everything that is left out
 * @returns the same text if nothing is left out; sanitising the result again changes nothing
 */
export function sanitiseHtml(html: string, policy: ImagePolicy, removed: OnRemoved): string {
  if (!html.includes('<')) return html;
  let text = html;
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const next = pass(text, policy, removed);
    if (next === text) return text;
    text = next;
  }
  return escapeHtml(text);
}

/** Whether text has a tag that runs or loads something if a program takes it for HTML. */
export function hasActiveHtml(text: string, policy: ImagePolicy): boolean {
  if (!text.includes('<')) return false;
  let isFound = false;
  pass(text, policy, (kind, what) => {
    if (kind === 'html_element')
      isFound ||= WITH_CONTENT.has(what) || /^(link|meta|base|form|input|button|body|html|isindex)$/.test(what);
    else if (kind === 'html_attribute') isFound ||= /^on/.test(what) || isActive(what);
    else isFound ||= kind !== 'comment';
  });
  return isFound;
}

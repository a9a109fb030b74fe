/** CSS of labels, reduced to what changes the appearance of text and tables. */
import { isActive } from './sanitise-url.js';

const PROPERTIES = new RegExp(
  `^(${[
    'color|background|background-color|opacity|visibility|display|float|clear|vertical-align|white-space|word-(break|wrap|spacing)',
    'font|font-(family|size|style|weight|variant[a-z-]*|stretch|kerning|feature-settings|optical-sizing|size-adjust)',
    'line-height|letter-spacing|direction|unicode-bidi|writing-mode|overflow|overflow-wrap|text-overflow|hyphens|tab-size',
    'text-(align|align-last|decoration|decoration-(line|style|color|thickness)|indent|transform|shadow|size-adjust)',
    'text-(wrap|wrap-mode|wrap-style|rendering|underline-offset|orientation)|white-space-collapse|white-space-trim',
    '(min-|max-)?(width|height)|margin|margin-(top|right|bottom|left|block|inline|block-start|block-end|inline-start|inline-end)',
    'padding|padding-(top|right|bottom|left|block|inline|block-start|block-end|inline-start|inline-end)|box-(sizing|shadow)',
    'border|border-(top|right|bottom|left|image|collapse|spacing|radius|color|style|width)',
    'border-(top|right|bottom|left)-(color|style|width)|border-(top|bottom)-(left|right)-radius|outline|outline-(color|style|width)',
    'list-style|list-style-(type|position)|table-layout|caption-side|empty-cells|orphans|widows|user-select|caret-color',
    '-webkit-text-(stroke|stroke-width|stroke-color|size-adjust|fill-color|decorations-in-effect)|-webkit-user-select|-moz-user-select',
    '-webkit-(box-orient|line-clamp|tap-highlight-color)|align-(items|content|self)|justify-(content|items|self)',
    'flex|flex-(direction|wrap|grow|shrink|basis|flow)|gap|row-gap|column-gap|order|cursor|page-break-(before|after|inside)',
    'scrollbar-color|text-decoration-skip-ink|font-variation-settings|background-(clip|origin|repeat|size|position|attachment)',
  ].join('|')})$`,
);

const UNSAFE_VALUE = /url\s*\(|image-set|image\s*\(|element\s*\(|attr\s*\(|\\|\/\*|[<>@{}]/i;

/** Divides declarations at the semicolons outside of quotes and parentheses. */
function declarationsOf(css: string): string[] {
  const parts: string[] = [];
  let [part, quote, depth] = ['', '', 0];
  for (const one of css) {
    if (quote !== '') quote = one === quote ? '' : quote;
    else if (one === '"' || one === "'") quote = one;
    else if (one === '(') depth++;
    else if (one === ')') depth = Math.max(0, depth - 1);
    if (one === ';' && quote === '' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += one;
  }
  return [...parts, part];
}

/** Whether a declaration may stay. */
export function isAllowedDeclaration(property: string, value: string): boolean {
  return PROPERTIES.test(property) && !UNSAFE_VALUE.test(value) && !isActive(value);
}

/** CSS declarations as pairs, the names in lower case. */
export function cssDeclarations(css: string): [string, string][] {
  return declarationsOf(css).flatMap((declaration) => {
    const at = declaration.indexOf(':');
    return at < 0
      ? []
      : ([[declaration.slice(0, at).trim().toLowerCase(), declaration.slice(at + 1).trim()]] as [string, string][]);
  });
}

/**
 * CSS without what an allow-list lacks.
 * @param removed called with each declaration that is left out
 * @returns the same text if nothing is left out
 */
export function sanitiseCss(css: string, removed: (what: string) => void): string {
  let isChanged = false;
  const kept = declarationsOf(css).filter((declaration) => {
    if (declaration.trim() === '') return true;
    const at = declaration.indexOf(':');
    const [property, value] = [declaration.slice(0, at).trim().toLowerCase(), declaration.slice(at + 1)];
    const isKept = at > 0 && isAllowedDeclaration(property, value);
    if (!isKept) {
      isChanged = true;
      removed(property === '' ? declaration.trim() : property);
    }
    return isKept;
  });
  return isChanged ? kept.join(';').trim() : css;
}

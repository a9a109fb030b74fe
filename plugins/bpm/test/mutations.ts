/** Files with faults: real or generated ones, changed at random. */
import fc from 'fast-check';
import { readBpmn } from '../notation/read.js';
import { bytesOf } from './samples.js';

/** One change of a text; `at` and `by` choose what is changed. */
type Change = (text: string, at: number, by: number) => string;

const ATTRIBUTE = /\s[\w:.-]+="[^"]*"/g;
const EMPTY_TAG = /<[\w:.-]+(\s[^<>]*)?\/>/g;
const NOISE = [
  ...[
    '<',
    '>',
    '&',
    '"',
    '/',
    '=',
    ']]>',
    '<!--',
    '<![CDATA[',
    '<?x',
    '<!DOCTYPE x>',
    '&#0;',
    '&lt;',
    '&x;',
    '\u0000',
    '\ud800',
    '\u2028',
  ],
  ...[
    ' id="a"',
    ' id=""',
    ' xmlns=""',
    ' xmlns:bpmn="urn:x"',
    ' xsi:type="x:y"',
    ' __proto__="1"',
    ' default="a"',
    '<a/>',
    '</a>',
    'text',
  ],
  ...[
    '<incoming/>',
    '<text><b/></text>',
    '<documentation/>',
    '<extensionElements/>',
    '<flowNodeRef>x</flowNodeRef>',
    '😀',
    '\r',
    '\t\n',
  ],
];

/** The match that `at` chooses, if there is one. */
function chosen(text: string, pattern: RegExp, at: number): { from: number; part: string } | undefined {
  const found = [...text.matchAll(pattern)];
  const match = found[at % Math.max(1, found.length)];
  return match && { from: match.index, part: match[0] };
}

function replacing(pattern: RegExp, change: (part: string, text: string, by: number) => string): Change {
  return (text, at, by) => {
    const found = chosen(text, pattern, at);
    if (!found) return text;
    const { from, part } = found;
    return `${text.slice(0, from)}${change(part, text, by)}${text.slice(from + part.length)}`;
  };
}

/** Most of them leave a file well-formed. */
const CHANGES: readonly Change[] = [
  replacing(ATTRIBUTE, () => ''),
  replacing(ATTRIBUTE, (part, text, by) => {
    const other = chosen(text, ATTRIBUTE, by)!.part;
    return part.replace(/".*"$/s, () => other.slice(other.indexOf('"')));
  }),
  replacing(
    ATTRIBUTE,
    (part, text, by) => ` ${chosen(text, ATTRIBUTE, by)!.part.trim().split('=')[0]}${part.slice(part.indexOf('='))}`,
  ),
  replacing(EMPTY_TAG, () => ''),
  replacing(EMPTY_TAG, (part) => part + part),
  replacing(EMPTY_TAG, (_, text, by) => chosen(text, EMPTY_TAG, by)!.part),
  // An element and its end tag by another name.
  (text, at, by) => {
    const [from, to] = [at, by].map((n) => chosen(text, /<[\w:.-]+/g, n)?.part.slice(1));
    return from && to ? text.replaceAll(new RegExp(`(</?)${from}(?=[\\s/>])`, 'g'), `$1${to}`) : text;
  },
  (text, at, by) => `${text.slice(0, at % text.length)}${NOISE[by % NOISE.length]}${text.slice(at % text.length)}`,
  (text, at, by) => text.slice(0, at % text.length) + text.slice((at % text.length) + (by % 50)),
];

/** Texts that became of one of the given ones by up to six changes. */
export const mutated = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.constantFrom(...CHANGES), fc.nat(100_000), fc.nat(100_000)), { minLength: 1, maxLength: 6 }),
    )
    .map(([text, changes]) => changes.reduce((changed, [change, at, by]) => change(changed, at, by), text));

/** @throws Error where a reading is not what the rest of the module relies on */
export function checkReading(text: string): void {
  const result = readBpmn(bytesOf(text));
  const fail = (what: string): never => {
    throw new Error(what);
  };
  if (!result.ok) {
    if (!result.message || (result.line !== null && result.line < 1)) fail('a refusal without message or line');
    return;
  }
  const { elements, flows, problems, processes, diagrams } = result.reading;
  const ids = [...elements, ...flows].map(({ bpmn_id }) => bpmn_id);
  if (new Set(ids).size !== ids.length) fail('an id twice');
  if (ids.some((id) => id.length === 0 || id.length > 255)) fail('an id that is no id');
  if (elements.some(({ position }, i) => position !== i + 1)) fail('positions with gaps');
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { line, message } of problems)
    if (message === '' || (line !== null && (line < 1 || line > lines))) fail(`line ${line} of ${lines}`);
  // What the database cannot store.
  const json = JSON.stringify([elements, flows, problems, processes, diagrams]);
  if (/\\u0000|\\ud[89a-f]/i.test(json)) fail('text that cannot be stored');
}

/** Files and labels changed at random: reading, sanitising and drawing never throw, and sanitising twice is the same as once. */
import fc from 'fast-check';
import t from 'tap';
import { drawDrawio } from '../drawing/draw.js';
import { readDrawio, sanitiseHtml, tokensOf, writeDrawio } from '../drawio/index.js';
import { DISARMED, deflated, fileWith, object, pageWith, shape } from './hostile-drawings.js';
import { unsafeParts } from './safe-svg.js';

const policy = { keepForeignImages: false };

const PIECES = [
  '<script>',
  '</script>',
  '<scr',
  'ipt>',
  '<<',
  '<',
  '>',
  '"',
  "'",
  '=',
  '/',
  '<!--',
  '-->',
  '--!>',
  '<![CDATA[',
  ']]>',
  '<?',
  '<svg>',
  '</svg>',
  '<math>',
  '<style>',
  '</style>',
  '<img src=x onerror=alert(1)>',
  '<a href="',
  'javascript:',
  'java\tscript:',
  '&#106;',
  '&colon;',
  '&lt;',
  '&amp;',
  '<b style="',
  'url(',
  'expression(',
  'color:red;',
  '/*',
  '\\',
  '</title>',
  '<title>',
  '<textarea>',
  '<iframe srcdoc="',
  '<table><tr><td>',
  '</table>',
  '<li>',
  ' onclick=',
  '\u0000',
  '\u00ad',
  'x',
  ' ',
  '\n',
  '%6A',
  'data:text/html,',
  '<noscript>',
  '<plaintext>',
];

t.test('no markup passes in two steps', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }), (pieces) => {
      const once = sanitiseHtml(pieces.join(''), policy, () => undefined);
      const again: string[] = [];
      const twice = sanitiseHtml(once, policy, (kind) => again.push(kind));
      if (twice !== once || again.length > 0) throw new Error(`${once} becomes ${twice}`);
      for (const token of tokensOf(once)) {
        const names = token.kind === 'open' ? token.attributes.map(({ name }) => name).join(' ') : '';
        const isActive =
          token.kind === 'comment' ||
          (token.kind === 'open' && /^(script|style|svg|math|iframe|title|textarea)$/.test(token.name));
        if (isActive || /\bon/.test(names)) throw new Error(once);
      }
    }),
    { numRuns: 3_000 },
  );
  t.end();
});

const sample = fileWith(
  [
    shape('<b>Name</b><br><i style="color:#f00">x</i>', 'rounded=1;whiteSpace=wrap;html=1;fillColor=#dae8fc;'),
    object('label="%name%" placeholders="1" name="N" link="https://a.test/" cardId="1"', 'shape=cube;html=1;'),
    '<mxCell id="e" style="edgeStyle=orthogonalEdgeStyle;endArrow=ERmany;" edge="1" parent="1" source="a" target="b"><mxGeometry relative="1" as="geometry"><Array as="points"><mxPoint x="1" y="2"/></Array></mxGeometry></mxCell>',
  ].join(''),
);
const compressed = `<mxfile><diagram id="p" name="P">${deflated(pageWith(shape('x')))}</diagram></mxfile>`;
const files = [sample, compressed, ...DISARMED.map(({ content }) => content).filter(({ length }) => length < 5_000)];

const escapedXml = (text: string): string =>
  text.replace(/[^ -~]|[&<>"]/g, (one) => (one.charCodeAt(0) < 32 ? ' ' : `&#${one.charCodeAt(0)};`));

t.test('changed files are refused, or read and drawn', (t) => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.integer({ min: 0, max: 12 }),
    isInValue: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share < 0.9),
    added: fc.oneof(
      fc.constantFrom(...PIECES, '<mxCell vertex="1" parent="1"/>', 'id="a"', '</root>', '1e999', 'parent="a"'),
      fc.string({ maxLength: 5 }).map((text) => text.replace(/[^ -~]/g, '')),
    ),
  });
  let drawn = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (file, changes, isBinary) => {
        let text = file;
        for (const { at, removed, added, isInValue } of changes) {
          const values = [...text.matchAll(/="/g)];
          const value = values[Math.floor(at * (values.length - 1))];
          // Within a value of an attribute the file remains XML.
          const from = isInValue && value ? value.index + 2 : Math.floor(at * text.length);
          const piece = isInValue ? escapedXml(added) : added;
          text = text.slice(0, from) + piece + text.slice(from + (isInValue ? 0 : removed));
        }
        const result = readDrawio(Buffer.from(text, isBinary ? 'latin1' : 'utf8'));
        if (!result.ok) return;
        const written = writeDrawio(result.file);
        const again = readDrawio(written);
        if (!again.ok || again.removed.length > 0 || !writeDrawio(again.file).equals(written))
          throw new Error(written.toString());
        for (const page of result.file.pages.keys()) {
          const unsafe = unsafeParts(drawDrawio(result.file, { page })!.svg);
          if (unsafe.length > 0) throw new Error(unsafe.join());
          drawn++;
        }
      },
    ),
    { numRuns: 800 },
  );
  t.ok(drawn > 100, `${drawn} were drawn`);
  t.end();
});

/** Texts of users: Markdown with its looks, and hostile markup, which stays text in all formats. */
import t, { type Test } from 'tap';
import { renderDocx } from '../rendering/docx.js';
import { renderHtml } from '../rendering/html.js';
import { renderMarkdown } from '../rendering/markdown.js';
import type { RenderedDocument } from '../rendering/model.js';
import { plainText, type TextBlock } from '../rendering/text/blocks.js';
import { TextParser } from '../rendering/text/parse.js';
import { all, htmlOfMarkdown, markupOf, parseXml, partsOf, shown, textOfHtml } from './rendering-readers.js';
import { document, markdown, section, tableOf } from './rendering-samples.js';

/** Twenty texts that must be read as they were written. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '</w:t></w:r><w:r><w:t>forged',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '&lt;b&gt; &amp;amp; &#60;',
  ']]><!--',
  '<!-- hidden -->',
  '<?php echo 1 ?>',
  '</style><script>alert(1)</script>',
  '=HYPERLINK("http://evil.example";"x")',
  '| a | b |',
  '${7+7} {{7+7}} <%= 7+7 %>',
  '<a href="https://evil.example">x</a>',
  '<vbscript:msgbox(1)>',
  '\\<b\\>',
] as const;

/** Everywhere but in the text of a section, where some of it is Markdown. */
const everywhere = (text: string): RenderedDocument =>
  document({
    number: text,
    title: text,
    organisation: text,
    date: text,
    contentHash: text,
    header: text,
    footer: text,
    sections: [
      {
        key: text,
        title: text,
        blocks: [
          tableOf({
            title: text,
            columns: [{ title: text }],
            rows: [[text], [{ money: text, currency: text }], [{ date: text }]],
            footer: [text],
            note: text,
          }),
        ],
      },
    ],
    signatures: [{ name: text, status: 'signed', signedAt: text, comment: text }],
    logo: null,
  });

const OWN_TAGS = new Set(
  '!doctype html head meta title style body header main footer nav section div p h1 h2 h3 h4 ol ul li a dl dt dd strong em s code pre br hr table caption thead tbody tfoot tr th td span blockquote'.split(
    ' ',
  ),
);
const OWN_ATTRIBUTES = new Set(
  'html lang charset http-equiv content name class id href rel scope aria-labelledby start style'.split(' '),
);

/** The files of a document as their readers see them: the texts, and no markup but that of the renderer. */
async function readAll(
  t: Test,
  doc: RenderedDocument,
  name: string,
): Promise<{ docx: string; html: string; md: string }> {
  const parts = partsOf(await renderDocx(doc));
  const roots = [...parts].filter(([part]) => !part.includes('media')).map(([, xml]) => parseXml(xml));
  for (const root of roots)
    for (const relation of all(root, 'Relationship').filter(({ attributes }) => attributes.TargetMode))
      t.match(relation.attributes.Target, /^(https?|mailto):/, name);
  const html = renderHtml(doc);
  const md = htmlOfMarkdown(renderMarkdown(doc));
  for (const [format, found] of [
    ['html', markupOf(html.replace(/<style>[^]*?<\/style>/, ''))],
    ['md', markupOf(md)],
  ] as const) {
    t.strictSame(
      found.tags.filter((tag) => !OWN_TAGS.has(tag)),
      [],
      `${name}: tags in ${format}`,
    );
    t.strictSame(
      found.attributes.filter((attribute) => !OWN_ATTRIBUTES.has(attribute)),
      [],
      `${name}: attributes in ${format}`,
    );
    t.strictSame(
      found.addresses.filter((address) => !/^(#|https?:|mailto:)/.test(address)),
      [],
      `${name}: addresses in ${format}`,
    );
  }
  return { docx: roots.map(shown).join('\n'), html: textOfHtml(html), md: textOfHtml(md) };
}

const count = (text: string, part: string): number => text.split(part).length - 1;

t.test('twenty hostile texts stay text, wherever they stand', async (t) => {
  t.equal(HOSTILE.length, 20);
  for (const text of HOSTILE) {
    const { docx, html, md } = await readAll(t, everywhere(text), text);
    // In two headers and footers each, on the title page, in the contents, headings, the table and the signatures.
    t.ok(count(docx, text) >= 20, `Word: ${text}`);
    t.ok(count(html, text) >= 16, `HTML: ${text}`);
    t.ok(count(md, text) >= 16, `Markdown: ${text}`);
  }
});

t.test('hostile texts within Markdown', async (t) => {
  for (const text of HOSTILE) {
    // These two are Markdown for other characters.
    if (text.startsWith('&lt;') || text.startsWith('\\')) continue;
    for (const around of ['', '**bold** ', '- ', '> ']) {
      const { docx, html, md } = await readAll(
        t,
        document({ sections: [section(markdown(`${around}${text}`))] }),
        text,
      );
      for (const [format, read] of Object.entries({ docx, html, md }))
        t.equal(count(read, text), 1, `${format}: ${around}${text}`);
    }
  }
});

t.test('what Markdown means stays within its section', async (t) => {
  const lines = [
    '# One',
    '1. One',
    '- One',
    '> One',
    '    One',
    '```\nOne',
    '---',
    '| a |\n|---|\n| One |',
    'One\n===',
    '~~~',
    '<div>',
    '[One]: http://a.example',
  ];
  for (const text of lines) {
    const doc = document({ sections: [section(markdown(text)), { key: 'last', title: 'Last', blocks: [] }] });
    const md = htmlOfMarkdown(renderMarkdown(doc));
    t.match(md, /<h2>2 Last<\/h2>\n<h2>Signatures<\/h2>/, text);
    t.match(renderHtml(doc), /<\/section>\n<section>\n<h2 id="heading-\d">2 Last<\/h2>/, text);
    for (const read of [
      textOfHtml(md),
      textOfHtml(renderHtml(doc)),
      shown(parseXml(partsOf(await renderDocx(doc)).get('word/document.xml')!)),
    ])
      if (text.includes('One')) t.match(read, 'One', text);
  }
  const definition = renderHtml(document({ sections: [section(markdown('[a]: http://a.example "unseen"'))] }));
  t.match(textOfHtml(definition), /\[a\]: http:\/\/a.example "unseen"/, 'no text of a signed document is invisible');
});

t.test('looks, lists, links and images', async (t) => {
  const text = [
    'a **b *c* d** e~~f~~ `g|h` [i **j**](https://k.example/?l=1&m) ![n](https://o.example/p.png) q*r*s\\',
    'second line',
    '',
    '3. three',
    '   - inner',
    '',
    '     more',
    '4. four',
    '',
    '> quoted',
    '> # not a heading',
    '',
    '```js',
    'code("`") <b>',
    '',
    '  indented',
    '```',
  ].join('\n');
  const doc = document({ sections: [section(markdown(text))] });
  const html = renderHtml(doc);
  const md = htmlOfMarkdown(renderMarkdown(doc));
  // Neighbours with the same look are the same to a reader; links have other attributes.
  const bare = (read: string): string =>
    read
      .replace(/<(a|br)[^>]*>\n?/g, '<$1>')
      .replaceAll('</strong><strong>', '')
      .replaceAll('</a><a>', '')
      .replace('</a><strong><a>j</a></strong>', '<strong>j</strong></a>');
  for (const read of [html, md])
    t.ok(
      bare(read).includes(
        '<p>a <strong>b <em>c</em> d</strong> e<s>f</s> <code>g|h</code> <a>i <strong>j</strong></a> n q<em>r</em>s<br>second line</p>',
      ),
      bare(read),
    );
  t.match(md, /<a href="https:\/\/k\.example\/\?l=1&amp;m">/);
  for (const read of [html, md]) {
    t.notMatch(read, /o\.example|<img/, 'images are not fetched');
    t.match(read, /<ol start="3">[^]*three[^]*<ul>[^]*inner[^]*<\/ul>[^]*four[^]*<\/ol>/);
    t.notMatch(read, /<h[34][^>]*>(\d\S* )?not a heading/);
    t.match(textOfHtml(read), 'code("`") <b>\n\n  indented');
  }
  const body = parseXml(partsOf(await renderDocx(doc)).get('word/document.xml')!);
  const look = (piece: string): string[] => {
    const found = all(body, 'w:r').find((run) => shown(run) === piece);
    return found
      ? all(found, 'w:rPr').flatMap(({ children }) =>
          children.map(({ name, attributes }) => attributes['w:val'] ?? name),
        )
      : ['missing'];
  };
  t.strictSame(['b ', 'c', 'f', 'g|h', 'j'].map(look), [
    ['w:b'],
    ['w:b', 'w:i'],
    ['w:strike'],
    ['CodeText'],
    ['Hyperlink', 'w:b'],
  ]);
});

t.test('addresses that are linked to, and others, which stay text', async (t) => {
  const good = [
    'https://a.example/b?c=d&e#f',
    'http://localhost:8080/',
    'https://[::1]/x',
    'mailto:a.b+c@d.example?subject=e',
  ];
  const bad = [
    'https://a..example/',
    'http://',
    'mailto:@@',
    'mailto:a',
    'ftp://a.example',
    '//a.example',
    '/a',
    '#a',
    'file:///etc/passwd',
    'https://a.example:99999/',
    `https://a.example/${'x'.repeat(2_000)}`,
  ];
  for (const [addresses, isLinked] of [
    [good, true],
    [bad, false],
  ] as const)
    for (const address of addresses) {
      const doc = document({ sections: [section(markdown(`[label](${address})`))] });
      const relations = partsOf(await renderDocx(doc)).get('word/_rels/document.xml.rels')!;
      t.equal(
        all(parseXml(relations), 'Relationship').some(({ attributes }) => attributes.Target === address),
        isLinked,
        address,
      );
      for (const html of [renderHtml(doc), htmlOfMarkdown(renderMarkdown(doc))]) {
        t.equal(
          markupOf(html).addresses.some((found) => found.replaceAll(/&(amp|#38);/g, '&') === address),
          isLinked,
          address,
        );
        t.equal(textOfHtml(html).includes(`[label](${address})`), !isLinked, address);
      }
    }
});

t.test('control characters, halves of characters and other directions of writing', async (t) => {
  const bad = 'a\u0000b\u0008c\u000bd\u001be\u007ff\u0085g\u202eh\u2066i\ufffej\uffffk\ufeffl';
  const { docx, html, md } = await readAll(t, everywhere(`${bad}\ud800m\u{1f600}`), 'control characters');
  for (const read of [docx, html, md]) {
    t.match(read, 'abcdefghijkl\ufffdm\u{1f600}');
    t.notMatch(read, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/);
  }
  const cells = await readAll(t, document({ sections: [section(markdown(`${bad} a\r\nb`))] }), 'in a text');
  t.match(cells.docx, 'abcdefghijkl a b');
});

t.test('texts that cost much are shown as they were typed, and nothing of them is left out', async (t) => {
  const texts = (blocks: readonly TextBlock[]): string =>
    blocks
      .map((block) => {
        if (block.kind === 'list') return block.items.map(texts).join(' ');
        if (block.kind === 'table') return block.rows.flat().map(plainText).join(' ');
        return block.kind === 'rule'
          ? ''
          : block.kind === 'quote'
            ? texts(block.blocks)
            : block.kind === 'code'
              ? block.text
              : plainText(block.runs);
      })
      .join(' ');
  const cases: [name: string, text: string, isTyped: boolean][] = [
    ['quotes in quotes', `${'>'.repeat(60)} end`, true],
    ['a few quotes', `${'>'.repeat(6)} end`, false],
    [
      'lists in lists',
      Array.from({ length: 40 }, (_, n) => `${'  '.repeat(n)}- ${n === 39 ? 'end' : n}`).join('\n'),
      true,
    ],
    ['emphasis in emphasis', `${'*a **b '.repeat(60)}end${'** c*'.repeat(60)}`, true],
    ['brackets', `${'['.repeat(5_000)} end`, true],
    ['a table with many columns', `${'|a'.repeat(40)}|\n${'|-'.repeat(40)}|\n${'|b'.repeat(39)}|end|`, true],
    ['a table with many cells', `${'|a'.repeat(8)}|\n${'|-'.repeat(8)}|\n${'b\n'.repeat(9_000)}end`, true],
  ];
  for (const [name, text, isTyped] of cases) {
    const blocks = new TextParser().parse(text);
    t.match(texts(blocks), 'end', name);
    t.equal(
      blocks.every(({ kind }) => kind === 'paragraph') && texts(blocks).includes(text.slice(0, 5)),
      isTyped,
      name,
    );
  }
  const parser = new TextParser(10);
  t.equal(parser.parse('# a')[0]?.kind, 'heading');
  t.strictSame(parser.parse('# a\n\n- b **c**\n- d\n\ne'), [
    { kind: 'paragraph', runs: [{ text: '# a' }] },
    { kind: 'paragraph', runs: [{ text: '- b **c**\n- d' }] },
    { kind: 'paragraph', runs: [{ text: 'e' }] },
  ]);
  const doc = document({ sections: [section(markdown('# a\n'.repeat(1_000)), markdown('<b>\n\n'.repeat(1_500)))] });
  const { docx, html, md } = await readAll(t, doc, 'many blocks');
  for (const read of [docx, html, md]) t.equal(count(read, '<b>'), 1_500);
});

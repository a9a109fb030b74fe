import t from 'tap';
import { isArchive, readArchive, safePath } from '../archive.js';
import { mergeRecord, newRecord } from '../madr/merge.js';
import type { RecordFields } from '../model.js';
import { parseRecord } from '../madr/parse.js';
import { frontMatterOf } from '../madr/front-matter.js';
import { numberOfFile, readStatus, referencesOf } from '../madr/status.js';
import { threadTime } from '../../../test/support/app.js';

const fieldsOf = (source: string, path = ''): RecordFields => {
  const { title, context, drivers, options, decision, consequences } = parseRecord(source, path);
  return {
    title,
    context,
    drivers,
    decision,
    consequences,
    options: options.map((o) => ({ title: o.title, pros: o.pros, cons: o.cons })),
  };
};

t.test('statuses in any spelling', async (t) => {
  const spelt = {
    signed: [
      'accepted',
      'Accepted',
      '{accepted}',
      '{ accepted }',
      '"accepted"',
      '✅ Accepted',
      'approved',
      '**Accepted**',
      'Accepted (documenting an existing thing)',
      'Decided on 2020-01-01',
    ],
    superseded: [
      'superseded by [ADR-0005](0005-x.md)',
      'Superceded by 9',
      'superseeded',
      'deprecated',
      'Obsolete',
      'replaced by ADR 7',
    ],
    draft: [
      '',
      'proposed',
      '{in-progress}',
      'rejected',
      '❌ Rejected',
      '🤔 Incomplete',
      'experimental',
      'unaccepted',
      '{proposed | rejected | accepted | deprecated}',
    ],
  };
  for (const [status, texts] of Object.entries(spelt))
    for (const text of texts) t.equal(readStatus(text).status, status, text);
});

t.test('states in five languages, and those that are not known', async (t) => {
  const spelt = {
    signed: [
      'Akzeptiert',
      'beschlossen am 3. Mai',
      'Gültig',
      'accepté',
      'ACCEPTE',
      'Approuvée',
      'aceptada',
      'Vigente',
      'accettato',
      'in vigore',
    ],
    superseded: [
      'ersetzt durch ADR-0005',
      'Ersetzt',
      'abgelöst',
      'Außer Kraft',
      'remplacé par [b](b.md)',
      'Obsolète',
      'sustituida por 3',
      'sostituito da ADR-2',
    ],
    draft: [
      'Entwurf',
      'abgelehnt',
      'proposée',
      'brouillon',
      'rechazado',
      'borrador',
      'bozza',
      'in discussion',
      'rejected',
    ],
  };
  for (const [status, texts] of Object.entries(spelt))
    for (const text of texts) t.strictSame(readStatus(text), { status, isKnown: true }, text);
  for (const text of ['not accepted', 'nicht angenommen', 'ersetzt ADR-0003', 'acceptedly', 'ratifiziert'])
    t.strictSame(readStatus(text), { status: 'draft', isKnown: false }, text);
  t.match(parseRecord('# A\n\nStatus: ratifiziert\n', ''), {
    statusText: 'ratifiziert',
    warnings: ['the status "ratifiziert" is not known; it is read as a draft'],
  });
});

t.test('a status in the header, in a heading, or in its section', async (t) => {
  const headers = [
    '* Status: accepted',
    '- Status: accepted',
    '+ status:accepted',
    '**Status:** accepted',
    '**Status**: accepted',
    '__Status__: **accepted**',
    '**Status: accepted**',
    '- **Status:** accepted<br>',
    '> Status: accepted\\',
    '1. Status : accepted  ',
    'Status: accepted',
    '| Status | accepted |',
    '| **Status** | accepted | 2024 |',
    '## Status: accepted',
    '## Status\n\nStatus: accepted',
    '## Status\n\n- accepted',
    'Status: accepted\n\n## Status\n',
  ];
  for (const header of headers) {
    const source = `# Use B\r\n\r\n* Deciders: C\r\n${header.replaceAll('\n', '\r\n')}\r\n\r\n## Context\r\n\r\nWhy.\r\n`;
    t.match(
      parseRecord(source, ''),
      { status: 'signed', statusText: 'accepted', context: 'Why.', warnings: [] },
      header,
    );
    t.equal(
      mergeRecord(source, '', fieldsOf(source), { links: [], status: 'superseded' }),
      source.replace('accepted', 'superseded'),
      `${header}: an export replaces the status where it is`,
    );
  }
  for (const body of [
    '## Context\n\nStatus: accepted',
    '```\nStatus: accepted\n```',
    'The status: accepted',
    'Statuses: accepted',
  ])
    t.match(parseRecord(`# A\n\n${body}\n`, ''), { status: 'draft', statusText: null }, body);
  t.match(parseRecord('# A\n\n* Estado: aceptada\n* Fecha: 03.05.2024\n\n## Contexto\n', ''), {
    status: 'signed',
    date: '2024-05-03',
  });
});

t.test('headings in five languages, and those that are not read', async (t) => {
  const languages = [
    ['Kontext und Problemstellung', 'Entscheidungskriterien', 'Betrachtete Optionen', 'Entscheidung', 'Konsequenzen'],
    ['Contexte', 'Facteurs de décision', 'Options envisagées', 'Décision', 'Conséquences'],
    ['Contexto', 'Factores de decisión', 'Opciones consideradas', 'Decisión', 'Consecuencias'],
    ['Contesto', 'Fattori decisionali', 'Opzioni considerate', 'Decisione', 'Conseguenze'],
  ];
  const content = ['c', '* d', '* o', 'e', 'f'];
  for (const headings of languages) {
    const source = `# T\n\n${headings.map((heading, i) => `## ${heading}\n\n${content[i]!}\n`).join('\n')}`;
    t.strictSame(
      fieldsOf(source),
      {
        title: 'T',
        context: 'c',
        drivers: ['d'],
        decision: 'e',
        consequences: 'f',
        options: [{ title: 'o', pros: [], cons: [] }],
      },
      headings.join(', '),
    );
    t.strictSame(parseRecord(source, '').warnings, []);
  }
  t.strictSame(parseRecord('# T\n\n## Context\n\n### Detail\n\n## Notes\n\n### More\n\n## Zweck\n', '').warnings, [
    'not read as parts of a record, and in the Markdown alone: "Notes", "Zweck"',
  ]);
});

t.test('a source that was read in English alone is exported as it is', async (t) => {
  const source = '---\ntitle: a: b\n---\n\n## Kontext\n\nWarum.\n\n## Decision\n\nx\n';
  const fields = { title: 'a', context: null, drivers: [], options: [], decision: 'x', consequences: null };
  t.equal(mergeRecord(source, 'a.md', fields, { links: [], reader: 1 }), source);
  t.equal(
    mergeRecord(source, 'a.md', { ...fields, decision: 'y' }, { links: [], reader: 1 }),
    source.replace('\nx\n', '\ny\n'),
  );
});

t.test('front matter loses no more than the lines that cannot be read', async (t) => {
  for (const line of [
    'title: Use: brokers',
    'deciders: @ann, @bo',
    'tags: [a, b',
    'note: "open',
    'no member',
    '\tx: 1',
  ]) {
    const { status, date, warnings } = parseRecord(`---\nstatus: accepted\n${line}\ndate: 2024-01-02\n---\n# T\n`, '');
    t.strictSame(
      { status, date, warnings },
      { status: 'signed', date: '2024-01-02', warnings: ['line 3 of the file could not be read as front matter'] },
      line,
    );
  }
  t.strictSame(frontMatterOf('---\njust a text\n---\n').warnings, ['the front matter is no YAML map and was not read']);
});

t.test('what records say of one another', async (t) => {
  t.strictSame(referencesOf('superseded by [ADR-0005](0005-use-dashes.md)', false), [
    { type: 'superseded_by', path: '0005-use-dashes.md', number: 5 },
  ]);
  t.strictSame(referencesOf('superseded by ADR-0057', false), [{ type: 'superseded_by', number: 57 }]);
  t.strictSame(referencesOf('Supersedes [3. Old](../old/0003-old%20one.md#why)', false), [
    { type: 'supersedes', path: '../old/0003-old one.md', number: 3 },
  ]);
  t.strictSame(referencesOf('* [ADR-0008](0008-status.md) and [the web](https://example.org/x.md)', true), [
    { type: 'relates_to', path: '0008-status.md', number: 8 },
  ]);
  t.strictSame(referencesOf('accepted', false), []);
  t.equal(numberOfFile('docs/adr-012-x.md'), 12);
  t.equal(numberOfFile('no-number-1.md'), undefined);
});

t.test('MADR and Nygard are read into one structure', async (t) => {
  const madr =
    '\uFEFF---\n# optional\nstatus: "accepted"\ndate: 2024-02-30\n---\n\n# ADR-0007: Use *B*\n\n<!-- ## Decision Drivers -->\n\n## Context and Problem Statement\n\nWhy?\n\n```md\n## Decision Outcome\n```\n\n## Decision Drivers\n\n1. fast\n   and small\n2. known\n\n## Considered Options\n\n* [A](#a)\n* B\n\n## Decision Outcome\n\nB.\n\n### Positive Consequences\n\n* good\n\n### Negative Consequences\n\n* bad\n\n## Pros and Cons of the Options\n\n### A\n\n* Good, because a\n* Neutral, because n\n* Bad, because z\n\n### B\n\nPros:\n- b1\n- b2\n\nCons:\n\n- b3\n';
  t.strictSame(fieldsOf(madr), {
    title: 'Use *B*',
    context: 'Why?\n\n```md\n## Decision Outcome\n```',
    drivers: ['fast\nand small', 'known'],
    decision: 'B.',
    consequences: '### Positive Consequences\n\n* good\n\n### Negative Consequences\n\n* bad',
    options: [
      { title: 'A', pros: ['a'], cons: ['z'] },
      { title: 'B', pros: ['b1', 'b2'], cons: ['b3'] },
    ],
  });
  t.match(parseRecord(madr, ''), { status: 'signed', statusText: 'accepted', date: null });
  const nygard =
    'Use Rspec\n=============\n\nDate: 04/07/2019\n\n## Status\n\nSuperseded by [13. X](0013-x.md)\n\nAmends [2. Y](0002-y.md)\n\n## Context\n\nTests.\n\n## Decision\n\nRspec.\n\n## Consequences\n\nSlow.\n';
  t.match(parseRecord(nygard, '0012-use-rspec.md'), {
    title: 'Use Rspec',
    status: 'superseded',
    date: '2019-07-04',
    context: 'Tests.',
    decision: 'Rspec.',
    consequences: 'Slow.',
    references: [{ type: 'superseded_by', number: 13 }, {}, { type: 'relates_to', number: 2 }],
  });
  t.equal(parseRecord('text alone', 'docs/0003-use-this-thing.md').title, 'use this thing');
  t.equal(parseRecord('# 26 Managed\n', '026-managed.md').title, 'Managed');
  t.equal(parseRecord('# 12 Factor Apps\n', '0003-x.md').title, '12 Factor Apps');
});

t.test('only changed parts are replaced', async (t) => {
  const source =
    '---\nstatus: accepted # by all\ndeciders: [a, b]\n---\r\n# Title\r\n\r\nIntro.\r\n\r\n## Context\r\n\r\nOld.\r\n\r\n## Custom\r\n\r\n| a |\r\n|---|\r\n\r\n## Decision Outcome\r\n\r\nA.\r\n';
  const fields = fieldsOf(source);
  t.equal(mergeRecord(source, '', fields, { links: [] }), source);
  t.equal(
    mergeRecord(source, '', { ...fields, context: 'New.\nLines.' }, { links: [] }),
    source.replace('Old.', 'New.\r\nLines.'),
  );
  t.equal(
    mergeRecord(source, '', fields, { links: [], status: 'superseded by [ADR-1](a.md)' }),
    source.replace('status: accepted', 'status: "superseded by [ADR-1](a.md)"'),
  );
  const more = { ...fields, drivers: ['d'], consequences: 'c', options: [{ title: 'A', pros: ['p\nq'], cons: [] }] };
  const merged = mergeRecord(source, '', more, { links: ['Relates to [ADR-2](b.md)'] });
  t.strictSame(fieldsOf(merged), more);
  t.ok(merged.includes('## Custom\r\n\r\n| a |\r\n|---|\r\n'));
  t.notMatch(merged.slice(merged.indexOf('# Title')), /[^\r]\n/, 'line ends stay what they are');
  const fresh: RecordFields = {
    title: 'T',
    context: 'c',
    drivers: ['a'],
    options: [{ title: 'O', pros: ['p'], cons: ['q'] }],
    decision: 'd',
    consequences: 'cc',
  };
  t.strictSame(fieldsOf(newRecord(fresh, { status: 'accepted', links: [] }, '2026-01-01')), fresh);
});

t.test('hostile Markdown is processed quickly and without errors', async (t) => {
  // The maximum size of a file, in bytes and in lines.
  const many = (text: string) =>
    text.repeat(
      Math.min(Math.ceil(1_000_000 / text.length), Math.floor(20_000 / (text.split('\n').length - 1 || 0.001))),
    );
  const hostile = [
    many('#'),
    many('# a\n'),
    many('* '),
    many('* a\n'),
    many('['),
    many('[a]('),
    many('`'),
    many('```\n'),
    many('> '),
    many('<!--'),
    many('- - '),
    many('\n'),
    many(' '),
    many('1. a\n'),
    many('=\n'),
    many('a\n---\n'),
    `---\n${many('a: [')}\n---\n`,
    `---\n${'['.repeat(8_000)}\n---\n# x`,
    `---\n${'{a: '.repeat(3_000)}\n---\n# x`,
    `---\n${'- '.repeat(8_000)}x\n---\n# x`,
    `---\n${'? '.repeat(8_000)}x\n---\n# x`,
    `---\na:\n${Array.from({ length: 150 }, (_, i) => `${' '.repeat(i)}- b:`).join('\n')}\n---\n# x`,
    `---\n${'!a &b '.repeat(2_000)}\n---\n# x`,
    `---\na: &a [x]\nb: [${'*a,'.repeat(1_000)}]\n---\n# x`,
    `---\n__proto__: {x: 1}\nconstructor: y\nstatus: accepted\n---\n# x`,
    `## Considered Options\n\n${many('* option\n')}`,
    `## Pros and Cons\n\n${many('### o\n\n* Good, because x\n')}`,
    `## Status\n\nsuperseded by ${many('ADR-1 ')}`,
    `## Links\n\n${many('[a](b.md) ')}`,
    `# ${many('é')}`,
    `# ${many('### ')}`,
    many('a:\\u0000 '),
    '# __proto__\n\n## constructor\n\n## toString\n',
  ];
  for (const source of hostile) {
    const began = threadTime();
    const parsed = parseRecord(source, 'x.md');
    t.ok(
      parsed.title.length <= 300 && parsed.options.length <= 50 && parsed.drivers.length <= 100,
      JSON.stringify(source.slice(0, 20)),
    );
    t.ok(mergeRecord(source, 'x.md', fieldsOf(source, 'x.md'), { links: [] }) === source);
    t.ok(
      threadTime() - began < 3_000,
      `${JSON.stringify(source.slice(0, 20))}: ${Math.round(threadTime() - began)} ms`,
    );
  }
});

t.test('paths and archives', async (t) => {
  for (const path of ['../x.md', '/etc/x.md', 'a/../../x.md', 'C:/x.md', 'a\\b.md', 'a\nb.md', ''])
    t.equal(safePath(path), undefined, path);
  t.equal(safePath('./a//b.md'), 'a/b.md');
  const limits = { entries: 2, entryBytes: 10, bytes: 15 };
  t.equal(await readArchive(Buffer.from('PK\u0003\u0004 rubbish that is no archive'), limits), undefined);
  t.notOk(isArchive(Buffer.from('# x')));
});

t.test('front matter with more signs or lines than it needs is kept, and not parsed', async (t) => {
  const longest = 16_000;
  for (const part of [',', '\n', '- ', '"', '&a ', 'a:b\n', '%\n'])
    t.match(
      frontMatterOf(`---\n${part.repeat(longest / part.length)}\n---\n# Title\n`),
      {
        warnings: ['the front matter has too many signs and was not read'],
      },
      JSON.stringify(part),
    );
  const usual = Array.from({ length: 100 }, (_, i) => `key${i}: a value (${i})\n`).join('');
  t.strictSame(frontMatterOf(`---\n${usual}---\n`).warnings, []);
  t.equal(frontMatterOf(`---\n${usual}---\n`).entries.size, 100);
});

/** Valid and hostile files to upload, and forms with them. */
import fc from 'fast-check';
import type { Schema } from './document.js';
import { hostileText } from './hostile.js';
import type { Values } from './values.js';

const element = (id: string, kind: string, name: string): string =>
  `<element identifier="${id}" xsi:type="${kind}"><name>${name}</name></element>`;
const model = (inner: string, head = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${head}<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" identifier="m"><name>Drive</name>${inner}</model>`;
const BOMB = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`;

interface SomeFile {
  name: string;
  type: string;
  content: string | Buffer;
  /** A part of the paths for which it is meant: there it is sent as often as all others together. */
  path?: string;
}

export const FILES: readonly SomeFile[] = [
  {
    name: 'cards.csv',
    type: 'text/csv',
    content:
      'type,name,external_id,attributes.costTotalAnnual\nApplication,Drive one,drive-1,12.5\nApplication,"Drive, two",drive-2,\n',
  },
  { name: 'cards.csv', type: 'text/csv', content: '\ufefftype;name\r\nApplication;=1+1\r\nBogus;x\r\n;\r\n' },
  { name: 'keys.csv', type: 'text/csv', content: '__proto__,constructor,type,name\n1,2,Application,x\n' },
  { name: 'quote.csv', type: 'text/csv', content: 'type,name\nApplication,"never closed' },
  {
    name: 'bytes.csv',
    type: 'text/csv',
    content: Buffer.from([0x74, 0x79, 0x70, 0x65, 0x2c, 0x6e, 0x0a, 0xff, 0xfe, 0x00, 0x2c, 0x0a]),
  },
  { name: 'nothing.csv', type: 'text/csv', content: '' },
  {
    name: 'cards.ndjson',
    type: 'application/x-ndjson',
    content:
      '{"type":"Application","name":"Drive line","external_id":"drive-3"}\n{"type":"Application"}\n\nnull\n[1]\n{"__proto__":{"polluted":true},"type":"Application","name":"p"}\n{"relation":{"type":"related"}}\n',
  },
  {
    name: 'broken.ndjson',
    type: 'application/x-ndjson',
    content: '{"type":"Application","name":"\\ud800"}\n{"name":1e999}\n{',
  },
  {
    name: 'model.xml',
    type: 'application/xml',
    content: model(
      `<elements>${element('a', 'ApplicationComponent', 'Drive app')}${element('b', 'Capability', 'Drive capability')}</elements><relationships><relationship identifier="r" source="a" target="b" xsi:type="Realization"/><relationship identifier="s" source="a" target="gone" xsi:type="Flow"/></relationships>`,
    ),
  },
  {
    name: 'bomb.xml',
    type: 'application/xml',
    content: model(`<elements>${element('a', 'ApplicationComponent', '&c;')}</elements>`, BOMB),
  },
  {
    name: 'picture.svg',
    type: 'image/svg+xml',
    content: '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>',
  },
  {
    name: 'dot.png',
    type: 'image/png',
    content: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  {
    name: 'script.svg',
    type: 'image/svg+xml',
    content: '<svg xmlns="http://www.w3.org/2000/svg" onload="x"><script/></svg>',
  },
  {
    name: 'flow.bpmn',
    type: 'application/xml',
    content:
      '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x"><process id="p"><startEvent id="s"/><task id="t" name="Drive"/><sequenceFlow id="f" sourceRef="s" targetRef="t"/></process></definitions>',
  },
  { name: 'cut.xml', type: 'application/xml', content: model('').slice(0, 120) },
  { name: 'deep.xml', type: 'application/xml', content: model('<a>'.repeat(5_000)) },
  {
    name: 'adr/0001-drive.md',
    type: 'text/markdown',
    content:
      '---\nstatus: accepted\ndate: 2024-01-01\n---\n# Drive by files\n\n## Context and Problem Statement\n\nOrders need transactions.\n\n## Considered Options\n\n* One\n* Two\n\n## Decision Outcome\n\nChosen option: "One".\n',
  },
  {
    name: '0002-broken.md',
    type: 'text/markdown',
    content: '---\nstatus: [&a *a\n---\n# \0\n\n## Status\n\nSuperseded by [0009](0009-gone.md)\n',
  },
  { name: 'adr.zip', type: 'application/zip', content: Buffer.from('PK\x03\x04 and no more') },
  {
    name: 'kev.json',
    type: 'application/json',
    path: '/feeds/',
    content: JSON.stringify({
      catalogVersion: '2026.01.15',
      vulnerabilities: [
        {
          cveID: 'CVE-2021-44228',
          vendorProject: 'Apache',
          product: 'Log4j2',
          vulnerabilityName: 'Apache Log4j2 Remote Code Execution Vulnerability',
          dateAdded: '2021-12-10',
        },
      ],
    }),
  },
  { name: '../../etc/passwd', type: 'application/octet-stream', content: Buffer.from([0, 1, 2, 3, 255]) },
];

const BOUNDARY = 'drive-boundary-7d4f';
const line = (text: string): string => text.toWellFormed().replaceAll(/["\r\n]/g, '_');

interface Part {
  name: string;
  file?: { name: string; type: string };
  content: string | Buffer;
}

function form(parts: readonly Part[], closed: boolean): Buffer {
  const pieces = parts.flatMap(({ name, file, content }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${line(name)}"${file ? `; filename="${line(file.name)}"\r\nContent-Type: ${file.type}` : ''}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, ...(closed ? [`--${BOUNDARY}--\r\n`] : [])].map((piece) => Buffer.from(piece)));
}

/** Bodies of multipart/form-data: files and the fields of the schema, mostly well-formed. @param path of the operation */
export function multipart(
  schema: Schema,
  values: Values,
  path: string,
): fc.Arbitrary<{ type: string; body: { raw: Buffer } }> {
  const several = schema.properties !== undefined && 'files' in schema.properties;
  const field = several ? 'files' : 'file';
  const meant = FILES.filter((one) => one.path !== undefined && path.includes(one.path));
  const file = fc
    .oneof(...[meant, FILES].filter((some) => some.length > 0).map((some) => fc.constantFrom(...some)))
    .map(({ name, type, content }): Part => ({ name: field, file: { name, type }, content }));
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== field)
    .map(([name, s]) =>
      values.of(s, name).map(
        (value): Part => ({
          name,
          content: typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? ''),
        }),
      ),
    );
  const valid = fc
    .tuple(
      fc.array(file, { minLength: 1, maxLength: several ? 3 : 1 }),
      fields.length === 0 ? fc.constant([]) : fc.tuple(...fields).chain((all) => fc.subarray(all)),
    )
    .map(([files, rest]) => [...rest, ...files]);
  const odd = fc.tuple(
    fc.array(
      fc.oneof(
        file,
        hostileText.map((text): Part => ({ name: text.slice(0, 100), content: text.toWellFormed() })),
      ),
      { maxLength: 4 },
    ),
    fc.boolean(),
  );
  return fc
    .oneof(
      { weight: 3, arbitrary: valid.map((parts) => form(parts, true)) },
      { weight: 1, arbitrary: odd.map(([parts, closed]) => form(parts, closed)) },
    )
    .map((raw) => ({ type: `multipart/form-data; boundary=${BOUNDARY}`, body: { raw } }));
}

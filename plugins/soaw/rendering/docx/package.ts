/** The parts of a Word file (ECMA-376, part 2) in an archive that has the same bytes for the same content. */
import { Zip, ZipDeflate } from 'fflate';
import type { Layout } from '../layout.js';
import type { WordImage } from '../logo.js';
import { cleanLine } from '../text/clean.js';
import { FIRST_FOOTER, FIRST_HEADER, FOOTERS, HEADERS, type Direction } from './page.js';
import { EMPTY_FOOTER, EMPTY_HEADER, footerXml, headerXml, LOGO_ID } from './pages.js';
import { escapeXml, NAMESPACES, XML_DECLARATION } from './xml.js';

/** A part of the file; the text of large parts comes in pieces. */
interface PartFile {
  name: string;
  pieces: Iterable<string | Uint8Array>;
}

/** What the text of the document refers to, complete once its pieces have been read. */
export interface References {
  links: ReadonlyMap<string, string>;
  logo: WordImage | undefined;
}

/** The beginning of the time of ZIP files, by the clock of any machine: with the present time no two files would be equal. */
const NO_TIME = new Date(1980, 0, 1);
/** Characters that are compressed at a time. */
const CHUNK = 65_536;

/** Packs the parts one after another. @param parts of each one the pieces are read before the next one is asked for */
export function pack(parts: Iterable<PartFile>): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  const failures: Error[] = [];
  const zip = new Zip((error, data) => {
    if (error) failures.push(error);
    else chunks.push(data);
  });
  const encoder = new TextEncoder();
  for (const { name, pieces } of parts) {
    // With less memory than fflate takes for a stream, which is cleared for each part of the file.
    const file = new ZipDeflate(name, { level: 6, mem: 4 });
    file.mtime = NO_TIME;
    zip.add(file);
    let waiting = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') waiting += piece;
      else file.push(piece);
      if (waiting.length < CHUNK) continue;
      file.push(encoder.encode(waiting));
      waiting = '';
    }
    file.push(encoder.encode(waiting), true);
  }
  zip.end();
  if (failures[0]) throw failures[0];
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const DIRECTIONS: readonly Direction[] = ['portrait', 'landscape'];

const relationship = (id: string, type: string, target: string, mode = ''): string =>
  `<Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}"${mode}/>`;

const relationships = (entries: readonly string[]): string =>
  `${XML_DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;

/** The parts before the text. */
export function* partsBefore(layout: Layout, logo: WordImage | undefined): Generator<PartFile> {
  yield { name: '[Content_Types].xml', pieces: [contentTypes(logo)] };
  yield {
    name: '_rels/.rels',
    pieces: [
      relationships([
        relationship('rId1', `${OFFICE}/officeDocument`, 'word/document.xml'),
        relationship(
          'rId2',
          'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
          'docProps/core.xml',
        ),
      ]),
    ],
  };
  yield { name: 'docProps/core.xml', pieces: [coreProperties(layout)] };
  yield { name: 'word/settings.xml', pieces: [settings(layout.words.tag)] };
  for (const [index, direction] of DIRECTIONS.entries()) {
    yield { name: `word/header${index + 1}.xml`, pieces: [headerXml(layout, direction)] };
    yield { name: `word/footer${index + 1}.xml`, pieces: [footerXml(layout, direction)] };
  }
  yield { name: 'word/header3.xml', pieces: [EMPTY_HEADER] };
  yield { name: 'word/footer3.xml', pieces: [EMPTY_FOOTER] };
  if (logo) yield { name: `word/media/logo.${logo.extension}`, pieces: [logo.bytes] };
}

/** The relationships of the text, after it. */
export function documentRelationships({ links, logo }: References): string {
  return relationships([
    relationship('rIdStyles', `${OFFICE}/styles`, 'styles.xml'),
    relationship('rIdNumbering', `${OFFICE}/numbering`, 'numbering.xml'),
    relationship('rIdSettings', `${OFFICE}/settings`, 'settings.xml'),
    ...DIRECTIONS.flatMap((direction, index) => [
      relationship(HEADERS[direction], `${OFFICE}/header`, `header${index + 1}.xml`),
      relationship(FOOTERS[direction], `${OFFICE}/footer`, `footer${index + 1}.xml`),
    ]),
    relationship(FIRST_HEADER, `${OFFICE}/header`, 'header3.xml'),
    relationship(FIRST_FOOTER, `${OFFICE}/footer`, 'footer3.xml'),
    ...(logo ? [relationship(LOGO_ID, `${OFFICE}/image`, `media/logo.${logo.extension}`)] : []),
    ...Array.from(links, ([href, id]) => relationship(id, `${OFFICE}/hyperlink`, href, ' TargetMode="External"')),
  ]);
}

function contentTypes(logo: WordImage | undefined): string {
  const override = (part: string, type: string): string => `<Override PartName="/${part}" ContentType="${type}"/>`;
  return [
    XML_DECLARATION,
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">',
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    logo ? `<Default Extension="${logo.extension}" ContentType="image/${logo.extension}"/>` : '',
    override('word/document.xml', `${TYPES}.document.main+xml`),
    override('word/styles.xml', `${TYPES}.styles+xml`),
    override('word/numbering.xml', `${TYPES}.numbering+xml`),
    override('word/settings.xml', `${TYPES}.settings+xml`),
    ...[1, 2, 3].map((index) => override(`word/header${index}.xml`, `${TYPES}.header+xml`)),
    ...[1, 2, 3].map((index) => override(`word/footer${index}.xml`, `${TYPES}.footer+xml`)),
    override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'),
    '</Types>',
  ].join('');
}

function coreProperties({ doc, words, title }: Layout): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(doc.date)?.[0];
  const time = (name: string): string =>
    day === undefined ? '' : `<dcterms:${name} xsi:type="dcterms:W3CDTF">${day}T00:00:00Z</dcterms:${name}>`;
  const text = (name: string, content: string): string => `<${name}>${escapeXml(cleanLine(content))}</${name}>`;
  return [
    XML_DECLARATION,
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dcmitype="http://purl.org/dc/dcmitype/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    text('dc:title', `${doc.number} ${title}`),
    text('dc:subject', words.documentType),
    text('dc:creator', doc.organisation),
    text('cp:lastModifiedBy', doc.organisation),
    text('cp:revision', String(doc.revision)),
    time('created'),
    time('modified'),
    text('dc:language', words.tag),
    text('cp:contentStatus', words.statuses[doc.status]),
    '</cp:coreProperties>',
  ].join('');
}

/** Without `updateFields`: with it, Word asks the reader a question when it opens the file. */
const settings = (language: string): string =>
  [
    XML_DECLARATION,
    `<w:settings ${NAMESPACES}><w:zoom w:percent="100"/><w:defaultTabStop w:val="709"/><w:characterSpacingControl w:val="doNotCompress"/>`,
    '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>',
    `<w:themeFontLang w:val="${language}"/><w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>`,
  ].join('');

/** The files of the BPMN Model Interchange Working Group: what they say, their problems, and the way there and back. */
import t from 'tap';
import { dataAbsent } from '../../../test/support/app.js';
import { decodeXml } from '../notation/decode.js';
import { moddle } from '../notation/model.js';
import { parseBpmn } from '../notation/parse.js';
import { writeBpmn } from '../notation/write.js';
import { canonical } from './canonical.js';
import { expectedCounts, read, realFile, realFiles } from './samples.js';

const FLOW_TYPES = { sequence: 'sequenceFlow', message: 'messageFlow', association: 'association', data: undefined };
/** Counted by the data set, but no entry of the lists. */
const UNLISTED = new Set(['process', 'collaboration', 'laneSet', 'group', 'textAnnotation', 'globalTask']);

/** Files with problems; the others must have none. */
const PROBLEMS: Record<string, string[]> = {
  // A process that another one calls, without a diagram.
  'reference/B.1.0.bpmn': ['187 process_not_drawn'],
  // The messages are missing in the file.
  'vendor-exports/Bizagi_Modeler_2.8.0.8__A.4.0-roundtrip.bpmn': [
    '383 unresolved_reference',
    '384 unresolved_reference',
  ],
  // Gateways and events list one of their flows each, though they have more.
  'vendor-exports/BIC_Cloud_Design_6.2.0__A.2.0-export.bpmn': [
    '75 missing_incoming',
    '87 missing_outgoing',
    '87 missing_outgoing',
    '100 missing_incoming',
  ],
  'vendor-exports/BIC_Cloud_Design_6.2.0__A.2.0-roundtrip.bpmn': [
    '99 missing_incoming',
    '111 missing_outgoing',
    '111 missing_outgoing',
    '124 missing_incoming',
  ],
};

t.test(
  'every file has the elements that its data set states, and no problem that is none',
  { skip: dataAbsent },
  async (t) => {
    const expected = expectedCounts();
    t.equal(realFiles().length, 41);
    for (const name of realFiles()) {
      const { elements, flows, problems, has_interchange } = read(realFile(name));
      const found = new Map<string, number>();
      const types = [...elements.map(({ type }) => type), ...flows.map(({ kind }) => FLOW_TYPES[kind])];
      for (const type of types) if (type) found.set(type, (found.get(type) ?? 0) + 1);
      for (const [type, count] of Object.entries(expected[name]!.elements))
        if (!UNLISTED.has(type)) t.equal(found.get(type), count, `${type} in ${name}`);
      t.strictSame(
        problems.map(({ line, code }) => `${line} ${code}`),
        PROBLEMS[name] ?? [],
        name,
      );
      t.equal(has_interchange, expected[name]!.shapes > 0, name);
      t.strictSame(
        elements.map(({ position }) => position),
        elements.map((_, i) => i + 1),
      );
    }
  },
);

t.test(
  'no element, attribute, extension or coordinate is lost on the way there and back',
  { skip: dataAbsent },
  async (t) => {
    for (const name of realFiles()) {
      const bytes = realFile(name);
      const parsed = parseBpmn(bytes);
      const decoded = decodeXml(bytes);
      if (!parsed.ok || !decoded.ok) throw new Error(`${name} is refused`);
      const written = new TextDecoder().decode(await writeBpmn(parsed));
      const [before, after] = [canonical(decoded.text), canonical(written)];
      const without = (lines: string[], others: Set<string>): string[] => lines.filter((line) => !others.has(line));
      t.strictSame(without(before, new Set(after)), [], `lost of ${name}`);
      t.strictSame(without(after, new Set(before)), [], `added to ${name}`);
      t.equal(after.length, before.length, name);
      t.strictSame(
        read(written),
        { ...read(bytes), problems: read(written).problems },
        `${name} is read again as before`,
      );
    }
  },
);

t.test('the tree is the one that bpmn-moddle builds with its own parser', { skip: dataAbsent }, async (t) => {
  for (const name of realFiles()) {
    // Its references are qualified names, which bpmn-moddle does not resolve.
    if (name.includes('GenMyModel_0.47__A.2.0-export')) continue;
    const bytes = realFile(name);
    const parsed = parseBpmn(bytes);
    const decoded = decodeXml(bytes);
    if (!parsed.ok || !decoded.ok) throw new Error(`${name} is refused`);
    const own = await moddle.toXML(parsed.definitions);
    const theirs = await moddle.toXML((await moddle.fromXML(decoded.text)).rootElement);
    t.equal(own.xml, theirs.xml, name);
  }
});

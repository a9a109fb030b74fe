/** Small BPMN files, and the real ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_DIR } from '../../../test/support/app.js';
import { readBpmn } from '../notation/read.js';
import type { BpmnReading } from '../notation/reading.js';

export const NAMESPACES = [
  'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"',
  'xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"',
  'xmlns:di="http://www.omg.org/spec/DD/20100524/DI"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:v="urn:vendor"',
].join(' ');

/** A file with `content` in its root; each line of the content is a line of the file, the first one is line 2. */
export const file = (content: string): string =>
  `<definitions ${NAMESPACES} id="Definitions" targetNamespace="urn:test">\n${content}\n</definitions>`;

/** A file with one process, whose content begins on line 3. */
export const inProcess = (content: string, after = ''): string =>
  file(`<process id="Process">\n${content}\n</process>${after}`);

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The reading of a file. @throws Error if it is refused */
export function read(text: string | Uint8Array): BpmnReading {
  const result = readBpmn(typeof text === 'string' ? bytesOf(text) : text);
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
  return result.reading;
}

/** A flow node, with flows by `->`: `a task`, `a->b`. One per line. */
export const nodeTag = (id: string, type = 'task', inside = ''): string =>
  `<${type} id="${id}" name="${id}">${inside}</${type}>`;

/** A sequence flow with the id `a-b`. */
export const flowTag = (source: string, target: string): string =>
  `<sequenceFlow id="${source}-${target}" sourceRef="${source}" targetRef="${target}"/>`;

/** Names of the real files, with their folders. */
export const realFiles = (): string[] =>
  ['reference', 'vendor-exports'].flatMap((folder) =>
    readdirSync(join(DATA_DIR, 'bpmn', folder))
      .filter((name) => name.endsWith('.bpmn'))
      .map((name) => `${folder}/${name}`),
  );

export const realFile = (name: string): Buffer => readFileSync(join(DATA_DIR, 'bpmn', name));

export const expectedCounts = (): Record<string, { elements: Record<string, number>; shapes: number; edges: number }> =>
  JSON.parse(readFileSync(join(DATA_DIR, 'bpmn', 'expected-counts.json'), 'utf8')) as ReturnType<typeof expectedCounts>;

/** What a BPMN file says: its elements, its flows, and what is wrong with it. */
import { checkDiagrams } from './diagram-checks.js';
import { elementsOf, flowsOf } from './extract.js';
import { checkFlows } from './flow-checks.js';
import { idOf } from './identity.js';
import { nodes, textOf } from './model.js';
import { outlineOf, type Outline } from './outline.js';
import { BPMN_LIMITS, parseBpmn, type BpmnLimits, type ParsedFile, type RefusedFile } from './parse.js';
import type { BpmnReading } from './reading.js';
import { checkStructure } from './structure-checks.js';

/**
 * Reads a BPMN 2.0 file. It takes seconds for large ones: call it in a worker.
 * @returns its content and problems; or why the file is refused, and where
 */
export function readBpmn(
  bytes: Uint8Array,
  limits: BpmnLimits = BPMN_LIMITS,
): RefusedFile | { ok: true; reading: BpmnReading } {
  const file = parseBpmn(bytes, limits);
  return file.ok ? { ok: true, reading: readingOf(file) } : file;
}

/** The reading of a file that has been parsed. */
export function readingOf(
  { tree, definitions, element_count }: ParsedFile,
  outline = outlineOf(definitions),
): BpmnReading {
  checkStructure(tree, outline);
  checkFlows(tree, outline);
  checkDiagrams(tree, outline);
  return {
    problems: tree.problems.list(),
    elements: elementsOf(tree, outline),
    flows: flowsOf(tree, outline),
    processes: processesOf(tree, outline),
    diagrams: outline.diagrams.map((diagram, index) => ({
      id: textOf(diagram, 'id')?.slice(0, 255).toWellFormed() ?? null,
      name: textOf(diagram, 'name')?.slice(0, 255).toWellFormed() ?? null,
      index,
    })),
    has_interchange: hasInterchange(outline),
    element_count,
  };
}

function processesOf(tree: ParsedFile['tree'], { processes }: Outline): BpmnReading['processes'] {
  return processes.flatMap((process) => {
    const bpmn_id = idOf(tree, process);
    return bpmn_id === null ? [] : [{ bpmn_id, name: textOf(process, 'name')?.slice(0, 2_000).toWellFormed() ?? null }];
  });
}

function hasInterchange({ diagrams }: Outline): boolean {
  return diagrams.some((diagram) => {
    const plane = diagram.get('plane') as Parameters<typeof nodes>[0] | undefined;
    return plane !== undefined && nodes(plane, 'planeElement').some(({ $type }) => $type === 'bpmndi:BPMNShape');
  });
}

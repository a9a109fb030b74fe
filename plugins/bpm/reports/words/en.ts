import type { CountedNoun } from '@lintel/sdk';

export type Noun = 'process' | 'element' | 'capability' | 'application' | 'card' | 'dependency' | 'assessed';

/** The texts of the reports about processes in one language. Counts are written with their nouns before they are inserted. */
export interface Texts {
  nouns: Readonly<Record<Noun, CountedNoun>>;
  /** States of flows; a process with a published one can have drafts as well. */
  states: Readonly<Record<'published' | 'pending' | 'draft' | 'none', string>>;
  scores: Readonly<Record<'efficiency' | 'effectiveness' | 'compliance' | 'automation' | 'overall', string>>;
  /** Titles of columns, rows and sheets. */
  column: Readonly<
    Record<
      | 'process'
      | 'processes'
      | 'capability'
      | 'capabilities'
      | 'application'
      | 'applications'
      | 'element'
      | 'elements'
      | 'kind'
      | 'linked'
      | 'links'
      | 'state'
      | 'flow'
      | 'flows'
      | 'score'
      | 'average'
      | 'assessedOn'
      | 'above'
      | 'from'
      | 'to'
      | 'calls'
      | 'relation'
      | 'dependencies'
      | 'pairs'
      | 'bpmnId',
      string
    >
  >;
  dashboard: {
    title: string;
    subtitle(processes: string, elements: string): string;
    figures: string;
    linkedElements: string;
    linkedOf(linked: string, all: string): string;
    averageScore: string;
    scale: string;
    withDrafts: string;
    byKind: string;
    notLinked: string;
    /** Units of axes. */
    processes: string;
    elements: string;
  };
  dependencies: { title: string; calls(times: string): string; once: string; truncated: string };
  links: { title(type: string): string; truncated: string };
  heatmap: { title: string; subtitle(assessed: string): string; more(count: string): string };
  matrix: {
    capabilities: string;
    applications: string;
    pairs(pairs: string): string;
    truncated: string;
    /** Unit of the cells. */
    relations: string;
  };
  map: {
    title: string;
    byState(processes: string): string;
    byScore(processes: string, score: string): string;
    notAssessed: string;
    truncated: string;
  };
}

export const en: Texts = {
  nouns: {
    process: { one: 'process', other: 'processes' },
    element: { one: 'element of published flows', other: 'elements of published flows' },
    capability: { one: 'capability', other: 'capabilities' },
    application: { one: 'application', other: 'applications' },
    card: { one: 'card', other: 'cards' },
    dependency: { one: 'dependency', other: 'dependencies' },
    assessed: { one: 'assessed process', other: 'assessed processes' },
  },
  states: { published: 'Published', pending: 'Awaiting approval', draft: 'Draft', none: 'Without a flow' },
  scores: {
    efficiency: 'Efficiency',
    effectiveness: 'Effectiveness',
    compliance: 'Compliance',
    automation: 'Automation',
    overall: 'Overall',
  },
  column: {
    process: 'Process',
    processes: 'Processes',
    capability: 'Capability',
    capabilities: 'Capabilities',
    application: 'Application',
    applications: 'Applications',
    element: 'Element',
    elements: 'Elements',
    kind: 'Kind',
    linked: 'Linked',
    links: 'Links',
    state: 'State',
    flow: 'Flow',
    flows: 'Flows',
    score: 'Score',
    average: 'Average',
    assessedOn: 'Assessed on',
    above: 'Above',
    from: 'From',
    to: 'To',
    calls: 'Calls',
    relation: 'Relation',
    dependencies: 'Dependencies',
    pairs: 'Pairs',
    bpmnId: 'BPMN id',
  },
  dashboard: {
    title: 'Business processes',
    subtitle: (processes, elements) => `${processes}, ${elements}`,
    figures: 'Figures',
    linkedElements: 'Linked elements',
    linkedOf: (linked, all) => `${linked} of ${all}`,
    averageScore: 'Average overall score',
    scale: 'from 1 to 5',
    withDrafts: 'With drafts',
    byKind: 'Elements by kind',
    notLinked: 'Not linked',
    processes: 'processes',
    elements: 'elements',
  },
  dependencies: {
    title: 'Dependencies of processes',
    calls: (times) => `calls ×${times}`,
    once: 'calls',
    truncated: 'Those with the fewest dependencies are left out.',
  },
  links: { title: (type) => `Elements of flows by ${type}`, truncated: 'Those with the fewest elements are left out.' },
  heatmap: {
    title: 'Assessments of processes',
    subtitle: (assessed) => `${assessed}, those with the lowest overall score first`,
    more: (count) => `${count} more are not shown.`,
  },
  matrix: {
    capabilities: 'Capabilities and processes',
    applications: 'Processes and applications',
    pairs: (pairs) => `Pairs: ${pairs}`,
    truncated: 'Those with the fewest pairs are left out.',
    relations: 'relations',
  },
  map: {
    title: 'Process map',
    byState: (processes) => `${processes} by the state of their flows`,
    byScore: (processes, score) => `${processes} by their score: ${score}`,
    notAssessed: 'Not assessed',
    truncated: 'Not all processes are shown.',
  },
};

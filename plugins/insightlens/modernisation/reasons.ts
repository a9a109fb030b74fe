/** Why a card should be modernised, as data. */
import type { CardTest, Rule } from '../security/rules.js';

const test = (type: string, field: string, is: readonly string[]): CardTest => ({ type, where: [{ field, is }] });
const UNFIT = ['inappropriate', 'unreasonable'];

/** Reasons that the analysis finds by the fields of a card. */
export const REASONS: readonly Rule[] = [
  {
    id: 'technical-fit',
    title: 'Technically unfit application',
    severity: 'medium',
    condition: { kind: 'card', card: test('Application', 'technicalSuitability', UNFIT) },
  },
  {
    id: 'component-fit',
    title: 'Technically unfit component',
    severity: 'medium',
    condition: { kind: 'card', card: test('ITComponent', 'technicalSuitability', UNFIT) },
  },
  {
    id: 'functional-fit',
    title: 'Functionally unfit application',
    severity: 'medium',
    condition: { kind: 'card', card: test('Application', 'functionalSuitability', ['insufficient', 'unreasonable']) },
  },
  {
    id: 'time-model',
    title: 'Application to be migrated or eliminated',
    severity: 'medium',
    condition: { kind: 'card', card: test('Application', 'timeModel', ['migrate', 'eliminate']) },
  },
  {
    id: 'phase-out',
    title: 'Component that is phased out or declined',
    severity: 'medium',
    condition: { kind: 'card', card: test('ITComponent', 'resourceClassification', ['phaseOut', 'declined']) },
  },
];
/** Reasons found by figures. */
export const LOW_QUALITY = 'low-quality';
export const HIGH_COST = 'high-cost';

/** Points of a reason: findings of an analysis, of one rule or of any. A card has the points of each of its reasons once. */
export interface Weight {
  kind: string;
  /** null: any rule of the analysis. */
  rule: string | null;
  points: number;
}
export const WEIGHTS: readonly Weight[] = [
  { kind: 'modernisation', rule: 'technical-fit', points: 25 },
  { kind: 'modernisation', rule: 'component-fit', points: 25 },
  { kind: 'modernisation', rule: 'functional-fit', points: 15 },
  { kind: 'modernisation', rule: 'time-model', points: 20 },
  { kind: 'modernisation', rule: 'phase-out', points: 20 },
  { kind: 'modernisation', rule: LOW_QUALITY, points: 5 },
  { kind: 'modernisation', rule: HIGH_COST, points: 15 },
  { kind: 'security', rule: 'end-of-life', points: 30 },
  { kind: 'security', rule: 'release-ended', points: 30 },
  { kind: 'security', rule: 'known-exploited', points: 40 },
  { kind: 'duplicates', rule: null, points: 15 },
];

/** What multiplies points and effort, by the criticality of an application; 1 of others. */
export const FACTORS: Readonly<Record<string, number>> = { missionCritical: 1.5, businessCritical: 1.25 };

/** States in which people have decided that a finding is no reason, or not any more. */
export const SETTLED = ['declined', 'done', 'not_applicable', 'accepted', 'mitigated', 'verified', 'dismissed'];

/** Relation types whose source depends on its target. */
export const DEPENDS = [
  'applicationToITComponent',
  'interfaceToITComponent',
  'platformToITComponent',
  'businessProcessToApplication',
  'businessProcessToITComponent',
  'organizationToApplication',
];
/** Applications provide and consume interfaces: a consumer depends on the providers. */
export const INTERFACE = { relation: 'applicationToInterface', field: 'flowDirection' };

import type { InventoryOption } from '@lintel/sdk';

/** The phases of a life cycle in their order. */
export const PHASES = ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'] as const;
export type Phase = (typeof PHASES)[number];

/** A phase as a half-open range of days. */
export interface PhaseRange {
  phase: Phase;
  /** First day. */
  from: string;
  /** The first day that is not in it; null for the last one. */
  to: string | null;
}

/**
 * The phases of a life cycle as ranges of days. A phase ends when a later one begins, so that on each day the card is in the
 * last phase that has begun. Phases without a day of their own are omitted.
 * @param dates first days, YYYY-MM-DD, by phase; some may be missing
 */
export function phaseRanges(dates: Readonly<Record<string, string>>): PhaseRange[] {
  const ranges: PhaseRange[] = [];
  let next: string | null = null;
  for (const phase of [...PHASES].reverse()) {
    const from = dates[phase];
    if (from === undefined || (next !== null && from >= next)) continue;
    ranges.unshift({ phase, from, to: next });
    next = from;
  }
  return ranges;
}

/** Whether a range has a day from the first to the last one. */
export const overlaps = ({ from, to }: PhaseRange, first: string, last: string): boolean =>
  from <= last && (to === null || to > first);

/** Label and colour of a phase. @param options of the field `lifecycle_phase` */
export const phaseView = (phase: Phase, options: readonly InventoryOption[]) => {
  const option = options.find(({ key }) => key === phase);
  return { phase, label: option?.label ?? phase, color: option?.color ?? '#9e9e9e' };
};

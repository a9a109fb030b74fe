import type { UnitOfWork } from '@lintel/sdk';
import { analysisOf } from '../analyses/index.js';
import type { Run } from './definition.js';

/** Emits the event of a run. */
export function tellRun(
  uow: UnitOfWork,
  type: 'queued' | 'started' | 'progressed' | 'finished' | 'failed' | 'cancelled',
  { id, kind, state, phase, percent }: Pick<Run, 'id' | 'kind' | 'state' | 'phase' | 'percent'>,
  error?: { code: string; detail: string },
): void {
  const analysis = analysisOf(kind);
  uow.emit({
    type: `insightlens_run.${type}`,
    subject: { kind: 'insightlens_run', id, name: analysis?.title ?? kind },
    data: { kind, state, phase: analysis?.phases[phase]?.key ?? null, percent, ...(error && { error }) },
  });
}

import { duplicates } from '../duplicates/analysis.js';
import { modernisation } from '../modernisation/analysis.js';
import { security } from '../security/analysis.js';
import { suppliers } from '../suppliers/analysis.js';
import type { Analysis } from './definition.js';

/** All analyses. A new one is a line here. */
export const ANALYSES: readonly Analysis[] = [suppliers, duplicates, security, modernisation];

export const KINDS: readonly string[] = ANALYSES.map(({ kind }) => kind);

const BY_KIND = new Map(ANALYSES.map((analysis) => [analysis.kind, analysis]));

/** @returns undefined for a kind of an earlier version */
export const analysisOf = (kind: string): Analysis | undefined => BY_KIND.get(kind);

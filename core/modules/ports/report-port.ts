import { reportQuery, splitReportQuery, type ReportDeclaration, type ReportPort } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { setTimeout as delay } from 'node:timers/promises';
import { problem } from '../../foundation/errors.js';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import { queryCheck } from '../../foundation/http/query.js';
import { INVENTORY_FILTERS } from '../../inventory/source/index.js';
import type { HostServices } from '../services.js';

/** Maximum time of one report, in ms. */
const RUN_MS = 20_000;

interface Checks {
  query(given: unknown): Record<string, unknown>;
  answer: ValidateFunction;
}

/** Waits for a report. @throws too_expensive after the time limit; its current statement ends by its own limit */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = delay(RUN_MS, undefined, { signal: end.signal }).then(
    () => Promise.reject(problem('too_expensive', { detail: 'The report took longer than 20 s; narrow its filters.' })),
    // The report was in time.
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    end.abort();
  }
}

/** Compiled once per declaration. */
const checks = new WeakMap<object, Checks>();

function checksOf(report: ReportDeclaration): Checks {
  let found = checks.get(report);
  if (!found) {
    found = {
      query: queryCheck(reportQuery(report, INVENTORY_FILTERS)) as Checks['query'],
      answer: strictAjv().compile(report.answer),
    };
    checks.set(report, found);
  }
  return found;
}

/** The reports that enabled modules declare. */
export function reportPort({ extensions }: HostServices): ReportPort {
  return {
    all: () =>
      extensions.reports().map(({ module, report, run }) => ({
        module,
        report,
        parse: (query) => splitReportQuery(report, checksOf(report).query(query)),
        run: async (request) => {
          const text = JSON.stringify(await inTime(run(request)));
          const plain: unknown = JSON.parse(text);
          const { answer } = checksOf(report);
          if (answer(plain)) return plain;
          const faults = fieldErrors(answer.errors ?? [], 'body').map(({ field, reason }) => `${field} ${reason}`);
          throw new Error(
            `the answer of ${module}.${report.id} does not match its schema: ${faults.join('; ').slice(0, 500)}`,
          );
        },
      })),
  };
}

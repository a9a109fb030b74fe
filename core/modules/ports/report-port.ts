import { reportQuery, splitReportQuery, type ReportDeclaration, type ReportPort } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import { queryCheck } from '../../foundation/http/query.js';
import { INVENTORY_FILTERS } from '../../inventory/source/index.js';
import { within } from '../install/fault.js';
import type { HostServices } from '../services.js';

/** Maximum time of one report, in ms. */
const RUN_MS = 20_000;

interface Checks {
  query(given: unknown): Record<string, unknown>;
  answer: ValidateFunction;
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
          const text = JSON.stringify(await within(RUN_MS, `the report ${module}.${report.id}`, () => run(request)));
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

import assert from 'node:assert/strict';
import type { ConnectorError } from '../../connectors.js';
import type { Check } from '../checks.js';
import type { SourceFault } from '../connector-contract.js';
import { failure, type ConnectorSubject } from './subject.js';

const FAULTS: readonly SourceFault[] = ['error', 'cut_off', 'not_json', 'unauthorized'];
const REFUSED = ['authentication', 'forbidden'];
const WRONG = 'wrong-secret-of-the-contract';
/** Shorter secrets may be part of any text. */
const LEAST_SECRET = 8;
const ABORT_MS = 5_000;

/** Failures: no page instead of an error, no secrets in texts, and an end when the work ends. */
export function failing<S>(subject: ConnectorSubject<S>): Check[] {
  const { spec } = subject;
  const { table, source, secrets = {} } = spec;
  const errors: [ConnectorError, Readonly<Record<string, string>>][] = [];

  /** Runs work while the other system has a fault. */
  async function during<T>(fault: SourceFault, work: () => Promise<T>): Promise<T> {
    try {
      await source.fail!(fault);
      return await work();
    } finally {
      await source.fail!(undefined);
    }
  }

  return [
    ...FAULTS.filter((fault) => source.fail && (spec.faults ?? FAULTS).includes(fault)).map(
      (fault): Check => ({
        name: `an answer with the fault ${fault} is an error, not a page`,
        async run() {
          const expected = fault === 'unauthorized' ? REFUSED : [];
          const ids = await subject.seed(7);
          const { connector } = subject.open();
          const first = await subject.page(connector, 3);
          for (const cursor of [undefined, first.next]) {
            const what = cursor === undefined ? 'the first page' : 'a later page';
            const read = async () =>
              await subject.page(subject.open().connector, 3, cursor === undefined ? {} : { cursor });
            errors.push([await during(fault, async () => await failure(read(), expected, what)), secrets]);
          }
          errors.push([
            await during(fault, async () => await failure(subject.open().connector.test(), expected, 'a test')),
            secrets,
          ]);
          const rest = await subject.all(connector, 3, { cursor: first.next });
          assert.equal(
            new Set([...first.records.map(({ id }) => id), ...rest.keys()]).size,
            ids.length,
            'afterwards the read continues',
          );
        },
      }),
    ),
    {
      name: 'wrong secrets are an error of authentication',
      async run() {
        if (Object.keys(secrets).length === 0) return;
        const wrong = Object.fromEntries(Object.keys(secrets).map((name) => [name, WRONG]));
        await subject.seed(1);
        const { connector } = subject.open(wrong);
        errors.push([await failure(connector.test(), REFUSED, 'a test'), wrong]);
        errors.push([
          await failure(connector.read({ table, fields: spec.fields, limit: 1 }), REFUSED, 'a read'),
          wrong,
        ]);
      },
    },
    {
      name: 'errors have no secrets',
      async run() {
        for (const [error, used] of errors)
          for (const [name, value] of Object.entries(used)) {
            assert.ok(
              value.length >= LEAST_SECRET,
              `the secret ${name} of the contract has at least ${LEAST_SECRET} characters`,
            );
            for (const text of [value, encodeURIComponent(value), Buffer.from(value).toString('base64')])
              assert.ok(
                !`${error.message} ${error.stack ?? ''}`.includes(text),
                `the secret ${name} is not in: ${error.message.replaceAll(text, '…')}`,
              );
          }
      },
    },
    {
      name: 'the work ends when its signal is aborted',
      async run() {
        await subject.seed(3);
        const before = subject.open();
        before.abort.abort();
        await ends(subject.page(before.connector, 3), 'a read that begins afterwards');
        const during = subject.open();
        const aborted = new Promise<boolean>((resolve) => {
          during.onRequest = () => {
            during.abort.abort();
            resolve(true);
          };
        });
        const read = subject.page(during.connector, 3);
        // A connector without requests ends at its own time.
        const isDone = read.then(
          () => false,
          () => false,
        );
        if (!(await Promise.race([aborted, isDone]))) return;
        await ends(read, 'a read that has begun');
      },
    },
  ];
}

/** @throws AssertionError unless the work is rejected within some seconds */
async function ends(work: Promise<unknown>, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => (timer = setTimeout(() => resolve('does not end'), ABORT_MS)));
  const outcome = await Promise.race([
    work.then(
      () => 'is not ended',
      () => 'ends',
    ),
    late,
  ]);
  clearTimeout(timer);
  assert.equal(outcome, 'ends', `${what} ${outcome}`);
}

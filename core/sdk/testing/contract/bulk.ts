import assert from 'node:assert/strict';
import { hasStatus, type Check } from '../checks.js';
import type { AnyBody, Answer } from '../client.js';
import type { ResourceContract } from '../resource-contract.js';
import { UNKNOWN_ID, Subject } from './subject.js';

/** A row of the response of a bulk request. */
interface Row {
  index: number;
  ref?: string;
  id?: string;
  version?: number;
  outcome: string;
  code?: string;
  errors?: { field: string }[];
}
type Bulk = AnyBody & { summary: Record<string, number>; results: Row[] };

/** The contract of bulk requests. @param member of an operation with the fields */
export function bulks(spec: ResourceContract, member: string): Check[] {
  const subject = new Subject(spec);
  const { path, update } = spec;
  const bulk = async (
    operations: readonly object[],
    more: object = {},
    query: Record<string, boolean> = {},
  ): Promise<Answer<Bulk>> => (await subject.writer()).post<Bulk>(`${path}/bulk`, { ...more, operations }, { query });
  const total = async (): Promise<number> =>
    hasStatus(await (await subject.reader()).get(path), 200, `GET ${path}`).body.total;
  const create = async (ref?: string) => ({
    op: 'create',
    ...(ref !== undefined && { ref }),
    [member]: await subject.body(),
  });
  return [
    {
      name: 'a bulk request executes its operations in order, also several on the same resource',
      async run() {
        const made = await subject.make();
        const { results, summary } = hasStatus(
          await bulk([
            await create('new'),
            { op: 'update', ref: 'new', [member]: update },
            { op: 'update', id: made.body.id, version: 1, [member]: update },
            { op: 'update', id: made.body.id, version: 2, [member]: update },
            await create('brief'),
            { op: 'delete', ref: 'brief' },
          ]),
          200,
          'the bulk',
        ).body;
        assert.deepEqual(
          results.map(({ outcome, version }) => [outcome, version]),
          [
            ['created', 1],
            ['updated', 2],
            ['updated', 2],
            ['unchanged', 2],
            ['created', 1],
            ['deleted', 1],
          ],
        );
        assert.deepEqual(summary, { created: 2, updated: 2, unchanged: 1, deleted: 1 });
        const reader = await subject.reader();
        assert.equal(hasStatus(await reader.get(`${path}/${results[0]!.id}`), 200, 'what was created').body.version, 2);
        hasStatus(await reader.get(`${path}/${results[4]!.id}`), 404, 'what was deleted in the same bulk');
      },
    },
    {
      name: 'all or nothing: one failed operation reverts all, and is reported',
      async run() {
        const before = await total();
        const { body } = hasStatus(
          await bulk([await create(), { op: 'update', id: UNKNOWN_ID, [member]: update }]),
          422,
          'a bulk with an unknown id',
        );
        assert.deepEqual(
          body.errors.map(({ field }) => field),
          ['/operations/1'],
        );
        assert.deepEqual(
          body.results.map(({ index, outcome, code }) => [index, outcome, code]),
          [[1, 'failed', 'not_found']],
        );
        assert.equal(await total(), before, 'nothing was stored');
      },
    },
    {
      name: 'per row: only the failed operations fail',
      async run() {
        const made = await subject.make();
        const { body } = hasStatus(
          await bulk(
            [
              await create(),
              { op: 'update', id: made.body.id, version: 7, [member]: update },
              { op: 'create', [member]: { no_such_member: 1 } },
              { op: 'delete' },
              { op: 'delete', id: made.body.id },
            ],
            { mode: 'per_row' },
          ),
          200,
          'the bulk',
        );
        assert.deepEqual(
          body.results.map(({ index, outcome, code }) => [index, outcome, code]),
          [
            [0, 'created', undefined],
            [1, 'failed', 'precondition_failed'],
            [2, 'failed', 'validation_failed'],
            [3, 'failed', 'validation_failed'],
            [4, 'deleted', undefined],
          ],
        );
        assert.deepEqual(
          body.results[1]!.errors?.map(({ field }) => field),
          ['/operations/1/version'],
        );
        assert.deepEqual(
          body.results[3]!.errors?.map(({ field }) => field),
          ['/operations/3/id'],
        );
      },
    },
    {
      name: 'a dry run returns the full result and stores nothing',
      async run() {
        const before = await total();
        for (const mode of ['all_or_nothing', 'per_row']) {
          const operations = [await create(), { op: 'delete', id: UNKNOWN_ID }];
          const { body } = hasStatus(await bulk(operations, { mode }, { dry_run: true }), 200, `a dry run, ${mode}`);
          assert.deepEqual(body.summary, { created: 1, failed: 1 }, mode);
        }
        assert.equal(await total(), before, 'nothing was stored');
      },
    },
    {
      name: 'a bulk request requires the permission to write',
      async run() {
        const operations = [await create()];
        hasStatus(await (await subject.reader()).post(`${path}/bulk`, { operations }), 403, 'as a reader');
        hasStatus(await spec.app.anonymous.post(`${path}/bulk`, { operations }), 401, 'without a token');
      },
    },
  ];
}

import assert from 'node:assert/strict';
import { ConnectorError, type ConnectorPage } from '../../connectors.js';
import type { Check } from '../checks.js';
import { valueAt, type ConnectorSubject } from './subject.js';

const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

/** Reading: pages, cursors, changes during a read, marks. */
export function reading<S>(subject: ConnectorSubject<S>): Check[] {
  const { fields, source, hasWatermarks, changesFail } = subject.spec;
  return [
    {
      name: 'the pages of a read have each record, with the same id each time',
      async run() {
        const ids = await subject.seed(7);
        for (const limit of [1, 2, 3, 7, 100]) {
          const found = await subject.all(subject.open().connector, limit);
          assert.deepEqual(sorted(found.keys()), sorted(ids), `pages of ${limit}`);
        }
        await source.change(ids[3]!, 50);
        assert.deepEqual(
          sorted((await subject.all(subject.open().connector, 3)).keys()),
          sorted(ids),
          'a changed record keeps its id',
        );
        await source.clear();
        assert.equal((await subject.all(subject.open().connector, 3)).size, 0, 'a list without records');
      },
    },
    {
      name: 'a read continues from a cursor with another connection, also twice',
      async run() {
        const ids = await subject.seed(7);
        const first = await subject.page(subject.open().connector, 3);
        assert.ok(first.next !== undefined, 'there is a next page');
        for (const what of ['once', 'twice']) {
          const rest = await subject.all(subject.open().connector, 3, { cursor: first.next });
          const found = [...first.records.map(({ id }) => id), ...rest.keys()];
          assert.deepEqual(sorted(new Set(found)), sorted(ids), what);
        }
      },
    },
    ...changes(subject, changesFail ?? false),
    {
      name: 'a watermark is of the time before the read',
      async run() {
        const ids = await subject.seed(6);
        let created: string | undefined;
        let first: ConnectorPage | undefined;
        const between = async (n: number, page: ConnectorPage): Promise<void> => {
          if (n > 1) return;
          first = page;
          if (changesFail) return;
          await source.change(page.records[0]!.id, 60);
          created = await source.create(61);
        };
        await subject.all(subject.open().connector, 2, { between });
        const since = first?.watermark;
        if (since === undefined) {
          assert.ok(!hasWatermarks, 'the first page has a watermark');
          return;
        }
        const changed = first!.records[0]!.id;
        if (changesFail) await source.change(changed, 60);
        const found = await subject.all(subject.open().connector, 2, { since });
        assert.ok(found.has(changed), 'what changed during the read is read since its watermark');
        if (created !== undefined)
          assert.ok(found.has(created), 'what was created during the read is read since its watermark');
        for (const id of found.keys()) assert.ok(ids.includes(id) || id === created, `${id} is a record`);
      },
    },
    {
      name: 'fields that are not shown are absent, not null',
      async run() {
        if (!source.hide) return;
        const [id] = await subject.seed(2);
        const hidden = fields[0]!;
        try {
          await source.hide(hidden);
          const record = (await subject.all(subject.open().connector, 10)).get(id!);
          assert.ok(record, 'a record with a hidden field is read');
          assert.equal(valueAt(record.values, hidden), undefined, `${hidden} is absent`);
        } finally {
          await source.hide(undefined);
        }
      },
    },
    {
      name: 'records by id: those that exist',
      async run() {
        const ids = await subject.seed(4);
        const { connector } = subject.open();
        if (!connector.get) return;
        const unknown = subject.spec.unknownId ?? '999999999';
        const found = await connector.get(subject.spec.table, [ids[2]!, unknown, ids[0]!], fields);
        assert.deepEqual(sorted(found.map(({ id }) => id)), sorted([ids[0]!, ids[2]!]));
        assert.deepEqual(await connector.get(subject.spec.table, [unknown], fields), []);
      },
    },
  ];
}

/** Whatever happens during a read, it has each record that exists from its begin to its end. */
function changes<S>(subject: ConnectorSubject<S>, mayFail: boolean): Check[] {
  const { source } = subject.spec;
  const cases: Record<string, (page: ConnectorPage, ids: string[]) => Promise<string[]>> = {
    'records that were read are removed': async ({ records }) => {
      for (const { id } of records.slice(0, 2)) await source.remove(id);
      return records.slice(0, 2).map(({ id }) => id);
    },
    'records that were not read are removed': async ({ records }, ids) => {
      const gone = ids.filter((id) => !records.some((record) => record.id === id)).slice(0, 2);
      for (const id of gone) await source.remove(id);
      return gone;
    },
    'records are created': async () => {
      for (const n of [70, 71, 72]) await source.create(n);
      return [];
    },
    'records are changed': async ({ records }, ids) => {
      await source.change(records[0]!.id, 80);
      await source.change(ids.at(-1)!, 81);
      return [];
    },
    'a record is removed and another one created': async ({ records }) => {
      await source.remove(records[0]!.id);
      await source.create(90);
      return [records[0]!.id];
    },
  };
  return Object.entries(cases).map(([what, change]) => ({
    name: `a read has each record although ${what} meanwhile`,
    async run() {
      for (const at of [1, 3]) {
        const ids = await subject.seed(12);
        let gone: string[] = [];
        const between = async (n: number, page: ConnectorPage): Promise<void> => {
          if (n === at) gone = await change(page, ids);
        };
        try {
          const found = await subject.all(subject.open().connector, 3, { between });
          const missing = ids.filter((id) => !gone.includes(id) && !found.has(id));
          assert.deepEqual(missing, [], `records that exist all the time, with the change after page ${at}`);
        } catch (error) {
          if (!(mayFail && error instanceof ConnectorError)) throw error;
        }
      }
    },
  }));
}

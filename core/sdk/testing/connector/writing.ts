import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ConnectorRecord } from '../../connectors.js';
import type { Check } from '../checks.js';
import { failure, valueAt, type ConnectorSubject } from './subject.js';

/** Writing, as far as the connector has functions for it. */
export function writing<S>(subject: ConnectorSubject<S>): Check[] {
  const { spec } = subject;
  const { table, fields, source, writes } = spec;
  const canFail = source.fail && (spec.faults ?? ['cut_off']).includes('cut_off');

  function demandWrites(what: string): NonNullable<typeof writes> {
    assert.ok(writes, `the connector has ${what}: the contract needs writes`);
    return writes;
  }
  const read = async (id: string): Promise<ConnectorRecord> => {
    const record = (await subject.all(subject.open().connector, 100)).get(id);
    assert.ok(record, `the record ${id} is read`);
    return record;
  };
  function same(actual: ConnectorRecord, expected: ConnectorRecord, keys: readonly string[], what: string): void {
    for (const key of keys)
      assert.deepEqual(valueAt(actual.values, key), valueAt(expected.values, key), `${what}: ${key}`);
  }

  return [
    {
      name: 'an update changes its fields only, and returns the record as it is',
      async run() {
        const { connector } = subject.open();
        if (!connector.update) return;
        const values = demandWrites('update')(1);
        const keys = Object.keys(values);
        const [id, other] = await subject.seed(3);
        const [before, untouched] = [await read(id!), await read(other!)];
        const updated = await connector.update(table, id!, values);
        const after = await read(id!);
        assert.equal(updated.id, id, 'the record that was updated is returned');
        for (const key of keys) assert.deepEqual(valueAt(after.values, key), values[key], `${key} is changed`);
        same(updated, after, [...new Set([...fields, ...keys])], 'the record as it is');
        same(
          after,
          before,
          fields.filter((key) => !keys.includes(key)),
          'the other fields',
        );
        same(await read(other!), untouched, fields, 'another record');
        same(await connector.update(table, id!, values), after, keys, 'the same update again');
        await failure(
          connector.update(table, spec.unknownId ?? '999999999', values),
          ['not_found'],
          'an update of no record',
        );
        if (!source.fail) return;
        await source.fail('error');
        try {
          await failure(
            connector.update(table, id!, demandWrites('update')(2)),
            [],
            'an update that the other system refuses',
          );
        } finally {
          await source.fail(undefined);
        }
      },
    },
    {
      name: 'a creation carries its correlation id, by which the record is found',
      async run() {
        const { connector } = subject.open();
        if (!connector.create) return;
        const values = demandWrites('create')(3);
        const ids = await subject.seed(3);
        const [mine, other] = [randomUUID(), randomUUID()];
        if (connector.findCreated)
          assert.equal(await connector.findCreated(table, mine), undefined, 'before it is created');
        const created = await connector.create(table, values, mine);
        assert.ok(!ids.includes(created.id), 'it is a new record');
        const after = await read(created.id);
        for (const [key, value] of Object.entries(values))
          assert.deepEqual(valueAt(after.values, key), value, `${key} is set`);
        same(created, after, Object.keys(values), 'the record as it is');
        if (!connector.findCreated) return;
        assert.equal((await connector.findCreated(table, mine))?.id, created.id, 'it is found');
        assert.equal(
          (await subject.open().connector.findCreated!(table, mine))?.id,
          created.id,
          'also by another connection',
        );
        assert.equal(await connector.findCreated(table, other), undefined, 'another correlation id finds nothing');
      },
    },
    {
      name: 'a creation whose answer does not arrive can be found',
      async run() {
        const { connector } = subject.open();
        if (!connector.create || !connector.findCreated || !canFail) return;
        const before = new Set(await subject.seed(2));
        const mine = randomUUID();
        await source.fail!('cut_off');
        try {
          await failure(
            connector.create(table, demandWrites('create')(4), mine),
            [],
            'a creation without a complete answer',
          );
        } finally {
          await source.fail!(undefined);
        }
        const made = [...(await subject.all(connector, 100)).keys()].filter((id) => !before.has(id));
        assert.ok(made.length <= 1, 'at most one record was created');
        assert.equal((await connector.findCreated(table, mine))?.id, made[0], 'what was created is found');
      },
    },
  ];
}

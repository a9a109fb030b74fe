import assert from 'node:assert/strict';
import type { Check } from '../checks.js';
import { failure, valueAt, type ConnectorSubject } from './subject.js';

/** What a connector declares, and what it tells about the other system. */
export function declaration<S>(subject: ConnectorSubject<S>): Check[] {
  const { connector, table, fields, source } = subject.spec;
  const other = 'no_such_table_0';
  return [
    {
      name: 'settings and secrets are described, and opening sends no requests',
      async run() {
        assert.match(connector.key, /^[a-z][a-z0-9_]*$/, 'the key of the connector');
        for (const [name, schema] of Object.entries(
          connector.config.properties as Record<string, { description?: string }>,
        ))
          assert.ok(schema.description, `the setting ${name} has a description`);
        for (const [name, secret] of Object.entries(connector.secrets))
          assert.ok(secret.description, `the secret ${name} has a description`);
        for (const name of Object.keys(subject.spec.secrets ?? {}))
          assert.ok(Object.hasOwn(connector.secrets, name), `the secret ${name} is declared`);
        const opened = subject.open();
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(opened.requests, 0, 'opening sends no requests');
      },
    },
    {
      name: 'the test of a connection, its tables and the fields of one',
      async run() {
        const [id] = await subject.seed(3);
        const { connector: open } = subject.open();
        assert.ok((await open.test()).detail, 'a test tells what was found');
        const tables = await open.tables();
        assert.ok(
          tables.some(({ key, label }) => key === table && label !== ''),
          `${table} is a table with a label`,
        );
        assert.equal(new Set(tables.map(({ key }) => key)).size, tables.length, 'each table once');
        const found = await open.fields(table);
        assert.equal(new Set(found.map(({ key }) => key)).size, found.length, 'each field once');
        for (const key of fields)
          assert.ok(
            found.some((field) => field.key === key),
            `${key} is a field`,
          );
        const record = (await subject.all(open, 10)).get(id!);
        for (const key of fields)
          assert.notEqual(valueAt(record?.values ?? {}, key), undefined, `records have the field ${key}`);
      },
    },
    {
      name: 'an unknown table is not_found',
      async run() {
        await source.clear();
        const { connector: open } = subject.open();
        await failure(open.fields(other), ['not_found'], 'fields of an unknown table');
        await failure(open.read({ table: other, fields, limit: 10 }), ['not_found'], 'a read of an unknown table');
        if (open.get) await failure(open.get(other, ['1'], fields), ['not_found'], 'records of an unknown table');
        if (open.update) await failure(open.update(other, '1', {}), ['not_found'], 'an update in an unknown table');
        if (open.create) await failure(open.create(other, {}, 'x'), ['not_found'], 'a creation in an unknown table');
      },
    },
  ];
}

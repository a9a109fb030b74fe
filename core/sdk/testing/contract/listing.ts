import assert from 'node:assert/strict';
import { hasFaults, hasStatus, type Check } from '../checks.js';
import type { Answer } from '../client.js';
import type { ResourceContract } from '../resource-contract.js';
import { Subject } from './subject.js';

const ENVELOPE = ['items', 'next_cursor', 'page', 'page_size', 'total', 'total_relation'];
const TOO_MANY_PAGES = 1_000;

/** The contract of lists. */
export function listing(spec: ResourceContract): Check[] {
  const subject = new Subject(spec);
  const { path } = spec;
  return [
    {
      name: 'a list has the common members of lists',
      async run() {
        await subject.make();
        const { body } = hasStatus(await (await subject.reader()).get(path), 200, `GET ${path}`);
        assert.deepEqual(Object.keys(body).sort(), ENVELOPE);
        assert.ok(body.items.length > 0 && body.total >= body.items.length, 'what was made is in the list');
      },
    },
    {
      name: 'pages and cursors return each resource once',
      async run() {
        for (let i = 0; i < 5; i++) await subject.make();
        const reader = await subject.reader();
        const { total } = hasStatus(await reader.get(path), 200, `GET ${path}`).body;
        const byPage: string[] = [];
        for (let page = 1; byPage.length < total && page < TOO_MANY_PAGES; page++) {
          byPage.push(
            ...hasStatus(await reader.get(path, { query: { page, page_size: 2 } }), 200, `page ${page}`).body.items.map(
              ({ id }) => id,
            ),
          );
        }
        const byCursor: string[] = [];
        for (let cursor: string | null = ''; cursor !== null && byCursor.length < TOO_MANY_PAGES; ) {
          const { body }: Answer = hasStatus(
            await reader.get(path, { query: { page_size: 2, ...(cursor !== '' && { cursor }) } }),
            200,
            'a cursor',
          );
          byCursor.push(...body.items.map(({ id }) => id));
          cursor = body.next_cursor;
        }
        assert.equal(new Set(byPage).size, total, 'every page differs');
        assert.deepEqual(byCursor, byPage, 'cursors give what pages give');
      },
    },
    {
      name: 'a list without a total has the same items',
      async run() {
        await subject.make();
        const reader = await subject.reader();
        const query = { page_size: 2 };
        const { items, next_cursor } = hasStatus(await reader.get(path, { query }), 200, `GET ${path}`).body;
        const { body } = hasStatus(await reader.get(path, { query: { ...query, total: 'none' } }), 200, 'total=none');
        assert.deepEqual([body.total, body.total_relation], [null, 'none']);
        assert.deepEqual([body.items, body.next_cursor], [items, next_cursor], 'only the total differs');
      },
    },
    {
      name: 'parameters that are unknown or out of range are refused',
      async run() {
        const reader = await subject.reader();
        for (const [name, value] of [
          ['no_such_parameter', 'x'],
          ['page', 0],
          ['page_size', 0],
          ['page_size', 201],
          ['page_size', 'many'],
          ['sort_by', 'no_such_field'],
          ['cursor', 'nonsense'],
          ['total', 'all'],
        ] as const) {
          hasFaults(await reader.get(path, { query: { [name]: value } }), [name], `${name}=${value}`);
        }
      },
    },
  ];
}

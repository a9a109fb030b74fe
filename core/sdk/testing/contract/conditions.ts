import assert from 'node:assert/strict';
import { hasStatus, until, type Check } from '../checks.js';
import type { ResourceContract } from '../resource-contract.js';
import { Subject } from './subject.js';

interface Event {
  type: string;
  subject: { id: string };
  actor: { id: string } | null;
}

/** Members that differ after every change. */
const MOVED = new Set(['version', 'updated_at']);

/** Checks that no update is lost (If-Match), no retry is executed twice, and every change publishes an event. */
export function atomicity(spec: ResourceContract): Check[] {
  const subject = new Subject(spec);
  const { update, nullable, kind, app } = spec;
  return [
    {
      name: 'GET returns a created resource with its entity tag',
      async run() {
        const { body, etag, path } = await subject.make();
        assert.match(etag, /^"1(\.[\w-]+)?"$/, 'a strong ETag that begins with the version');
        const reader = await subject.reader();
        const read = hasStatus(await reader.get(path), 200, `GET ${path}`);
        assert.deepEqual([read.body.id, read.body.version], [body.id, 1]);
        hasStatus(
          await reader.get(path, { headers: { 'if-none-match': read.headers.get('etag') ?? '' } }),
          304,
          'If-None-Match',
        );
      },
    },
    {
      name: 'If-Match prevents a lost update',
      async run() {
        const { etag, path } = await subject.make();
        const writer = await subject.writer();
        assert.equal(
          hasStatus(await writer.patch(path, update, { headers: { 'if-match': etag } }), 200, 'PATCH with the tag').body
            .version,
          2,
        );
        const stale = { headers: { 'if-match': '"1"' } };
        assert.equal(
          hasStatus(await writer.delete(path, stale), 412, 'DELETE with a stale tag').body['current_version'],
          2,
        );
        const other = await subject.make();
        hasStatus(
          await writer.patch(other.path, update, { headers: { 'if-match': '"7"' } }),
          412,
          'PATCH with a tag it never had',
        );
      },
    },
    {
      name: 'a patch is a merge patch',
      async run() {
        const { body, path } = await subject.make();
        const writer = await subject.writer();
        const changed = hasStatus(await writer.patch(path, update), 200, 'PATCH').body;
        assert.equal(changed.version, 2, 'something changed');
        for (const field of Object.keys(body).filter((name) => !(name in update) && !MOVED.has(name))) {
          assert.deepEqual(changed[field], body[field], `${field} was not sent and stays`);
        }
        assert.equal(
          hasStatus(await writer.patch(path, update), 200, 'the same PATCH').body.version,
          2,
          'what changes nothing is no change',
        );
        if (nullable === undefined) return;
        assert.equal(
          hasStatus(await writer.patch(path, { [nullable]: null }), 200, `null for ${nullable}`).body[nullable],
          null,
        );
      },
    },
    {
      name: 'a repeated request with an Idempotency-Key returns the first response',
      async run() {
        const writer = await subject.writer();
        const [body, other] = [await subject.body(), await subject.body()];
        const options = { headers: { 'idempotency-key': `contract-${kind}-${Date.now()}` } };
        const first = hasStatus(await writer.post(spec.path, body, options), 201, 'POST');
        const again = hasStatus(await writer.post(spec.path, body, options), 201, 'the same POST');
        assert.equal(again.body.id, first.body.id, 'nothing was made a second time');
        assert.equal(again.headers.get('idempotent-replayed'), 'true');
        assert.equal(
          hasStatus(await writer.post(spec.path, other, options), 422, 'another body with the same key').body.code,
          'idempotency_key_reused',
        );
      },
    },
    {
      name: 'every change creates an event',
      async run() {
        const writer = await subject.writer();
        const { body, path } = await subject.make();
        hasStatus(await writer.patch(path, update), 200, 'PATCH');
        hasStatus(await writer.delete(path), 204, 'DELETE');
        const events = await until(async () => {
          const { items } = hasStatus(
            await app.admin.get<{ items: Event[] }>('/events', { query: { subject_id: body.id, type: `${kind}.` } }),
            200,
            'GET /events',
          ).body;
          return items.length >= 3 && items;
        });
        assert.deepEqual(
          [...new Set(events.map(({ type }) => type))],
          [`${kind}.deleted`, `${kind}.updated`, `${kind}.created`],
        );
        assert.ok(
          events.every(({ actor }) => actor?.id === writer.user.id),
          'with who made it',
        );
      },
    },
    {
      name: 'a deleted resource is a 404',
      async run() {
        const { path } = await subject.make();
        const writer = await subject.writer();
        hasStatus(await writer.delete(path), 204, 'DELETE');
        for (const answer of [await writer.get(path), await writer.patch(path, update), await writer.delete(path)])
          hasStatus(answer, 404, 'after it was deleted');
      },
    },
  ];
}

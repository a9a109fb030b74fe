import assert from 'node:assert/strict';
import { hasStatus, until, type Check } from '../checks.js';
import type { AnyBody } from '../client.js';
import type { ResourceContract, TransitionContract } from '../resource-contract.js';
import { Subject } from './subject.js';

interface Event {
  type: string;
  data: { from?: unknown; to?: unknown; version?: unknown };
}

/** The contract of transitions. */
export function transitions(spec: ResourceContract, { to, body = {}, refused, code }: TransitionContract): Check[] {
  const subject = new Subject(spec);
  const { kind, app } = spec;
  const allowed = (one: AnyBody): string[] => one['allowed_transitions'] as string[];
  return [
    {
      name: 'a resource can change only to a possible next state',
      async run() {
        const made = await subject.make();
        const writer = await subject.writer();
        assert.ok(allowed(made.body).includes(to), `${to} is one of ${allowed(made.body).join(', ')}`);
        assert.ok(!allowed(made.body).includes(refused), `${refused} is none of them`);
        const path = `${made.path}/transition`;
        assert.equal(hasStatus(await writer.post(path, { to: refused }), 409, `to ${refused}`).body.code, code);
        const moved = hasStatus(await writer.post(path, { to, ...body }), 200, `to ${to}`).body;
        assert.equal(moved.version, 2);
        assert.equal(
          hasStatus(await writer.get(made.path), 200, 'GET').body.version,
          2,
          'the refused move changed nothing',
        );
        hasStatus(await writer.post(path, { to: 'no_such_state' }), 422, 'to a state there is not');
        hasStatus(await writer.post(path, {}), 422, 'without a state');
      },
    },
    {
      name: 'If-Match prevents a transition of a changed resource',
      async run() {
        const { etag, path } = await subject.make();
        const writer = await subject.writer();
        const move = (tag: string) =>
          writer.post(`${path}/transition`, { to, ...body }, { headers: { 'if-match': tag } });
        hasStatus(await move('"7"'), 412, 'with a tag it never had');
        hasStatus(await move(etag), 200, 'with the tag');
      },
    },
    {
      name: 'a transition creates an event and an entry of the history',
      async run() {
        const made = await subject.make();
        const writer = await subject.writer();
        hasStatus(await writer.post(`${made.path}/transition`, { to, ...body }), 200, `to ${to}`);
        const type = `${kind}.transitioned`;
        const query = { subject_id: made.body.id, type };
        const [event] = await until(async () => {
          const { items } = hasStatus(
            await app.admin.get<{ items: Event[] }>('/events', { query }),
            200,
            'GET /events',
          ).body;
          return items.length > 0 && items;
        });
        assert.deepEqual([event!.data.to, event!.data.version], [to, 2]);
        const history = hasStatus(await writer.get(`${made.path}/history`), 200, 'GET history').body.items;
        assert.deepEqual(
          history.map((entry) => entry['type']),
          [type, `${kind}.created`],
        );
      },
    },
    {
      name: 'a transition requires the permission to write',
      async run() {
        const { path } = await subject.make();
        const reader = await subject.reader();
        hasStatus(await reader.post(`${path}/transition`, { to, ...body }), 403, 'as a reader');
        hasStatus(await app.anonymous.post(`${path}/transition`, { to, ...body }), 401, 'without a token');
      },
    },
  ];
}

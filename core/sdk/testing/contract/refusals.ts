import assert from 'node:assert/strict';
import { hasFaults, hasStatus, type Check } from '../checks.js';
import type { ResourceContract } from '../resource-contract.js';
import { UNKNOWN_ID, Subject } from './subject.js';

/** Unusual texts. An accepted text must be returned unchanged. */
const HOSTILE = [
  "Robert'); drop table cards;--",
  '<script>alert(1)</script>',
  '${7*7} {{7*7}} %s %n',
  'a\u202Ebc',
  'bell\u0007',
  'form\u000c\u0085',
  '😀 e\u0301 ﷺ',
  '../../etc/passwd',
  '__proto__',
  'nul\u0000',
  '\uD800',
];

/** Checks that invalid input is refused, and never with a 5xx. */
export function refusals(spec: ResourceContract): Check[] {
  const subject = new Subject(spec);
  const { path, update, text } = spec;
  return [
    {
      name: 'all errors of a body are reported, including unknown members',
      async run() {
        const writer = await subject.writer();
        hasFaults(
          await writer.post(path, { ...(await subject.body()), no_such_member: 1 }),
          ['/no_such_member'],
          'POST',
        );
        const made = await subject.make();
        hasFaults(await writer.patch(made.path, { ...update, no_such_member: 1 }), ['/no_such_member'], 'PATCH');
        for (const { body, fields } of spec.invalid ?? [])
          hasFaults(await writer.post(path, body), fields, `POST ${JSON.stringify(body)}`);
      },
    },
    {
      name: 'a body that is not an object, or not JSON, is a 4xx',
      async run() {
        const writer = await subject.writer();
        for (const body of [
          '[]',
          '"x"',
          'null',
          '7',
          '{',
          '',
          '{"__proto__":{}}',
          '{"constructor":{"prototype":{}}}',
        ]) {
          const { status } = await writer.send('POST', path, body, { headers: { 'content-type': 'application/json' } });
          assert.ok(status === 400 || status === 422, `${body || 'nothing'} gave ${status}`);
        }
      },
    },
    {
      name: 'an invalid id is a 404',
      async run() {
        const writer = await subject.writer();
        for (const id of [UNKNOWN_ID, '1', 'null', '%00', "'", `${UNKNOWN_ID}x`]) {
          const answers = [
            await writer.get(`${path}/${id}`),
            await writer.patch(`${path}/${id}`, update),
            await writer.delete(`${path}/${id}`),
          ];
          for (const answer of answers) hasStatus(answer, 404, id);
        }
      },
    },
    {
      name: 'a reader can only read, and requests without a token are refused',
      async run() {
        const made = await subject.make();
        const reader = await subject.reader();
        hasStatus(await reader.get(made.path), 200, 'GET');
        for (const [who, status] of [
          [reader, 403],
          [spec.app.anonymous, 401],
        ] as const) {
          hasStatus(await who.post(path, await subject.body()), status, 'POST');
          hasStatus(await who.patch(made.path, update), status, 'PATCH');
          hasStatus(await who.delete(made.path), status, 'DELETE');
        }
        hasStatus(await spec.app.anonymous.get(path), 401, 'GET without a token');
      },
    },
    ...(text === undefined
      ? []
      : [{ name: `any text in ${text} is kept as it is, or refused`, run: () => hostile(subject, text) }]),
  ];
}

async function hostile(subject: Subject, field: string): Promise<void> {
  const writer = await subject.writer();
  for (const value of [...HOSTILE, 'x'.repeat(200_000)]) {
    const shown = JSON.stringify(value.slice(0, 40));
    const answer = await writer.post(subject.path, { ...(await subject.body()), [field]: value });
    assert.ok(
      answer.status === 201 || answer.status === 422 || answer.status === 400,
      `${shown} gave ${answer.status}`,
    );
    if (answer.status === 201)
      assert.equal((await writer.get(`${subject.path}/${answer.body.id}`)).body[field], value, `${shown} comes back`);
  }
}

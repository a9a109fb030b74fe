/** What is sent to the other system, against a table of all cases that is written separately. */
import t from 'tap';
import type { CardView } from '@lintel/sdk';
import { planUpdate, refusedOf, written, markOf } from '../pushing/compare.js';
import type { DueUpdate } from '../pushing/repository.js';
import { mapPage } from '../reading/page.js';
import type { Reading } from '../reading/stage.js';
import { compileFields } from '../transforms/index.js';

type Owner = 'cmdb' | 'ea';

function reading(owner: Owner, transform: object = { kind: 'direct' }): Reading {
  const fields = [{ source: 'note', target: 'description', owner, transform }] as unknown as Reading['fields'];
  return { reader: compileFields({ fields, relations: [] }), fields, isComplete: true };
}
const cardOf = (description: string | null, version = 7): CardView => ({
  id: 'c',
  type: 'T',
  name: 'N',
  status: 'ACTIVE',
  version,
  description,
});
const readOf = (of: Reading, values: Record<string, unknown>) => mapPage(of, [{ id: 'r', values }]).get('r')!;
const due = (base: string | undefined, decided?: string): DueUpdate => ({
  id: 'i',
  external_id: 'r',
  card_id: 'c',
  diff: [
    {
      field: 'description',
      cmdb: decided ?? 'as it was',
      ea: 'as it was',
      take: 'ea',
      ...(decided !== undefined && { decided: true }),
    },
  ],
  base: base === undefined ? {} : { description: base },
  kept: {},
  references_digest: null,
  has_card_record: false,
});

/** Three letters: the values at the last synchronisation (`-`: none), of the other system and of the card. */
const CASES: Readonly<Record<string, '=' | 'owner' | 'conflict'>> = {
  '-xx': '=',
  '-xy': 'owner',
  xxx: '=',
  xxy: 'owner',
  xyx: 'owner',
  xyy: '=',
  xyz: 'conflict',
};

t.test('every case with every owner and decision', async (t) => {
  // A decision against the value that the other system has, or against an earlier one.
  for (const [letters, expected] of Object.entries(CASES))
    for (const owner of ['cmdb', 'ea'] as const)
      for (const decided of [undefined, letters[1]!, 'w']) {
        const [b, c, e] = [...letters] as [string, string, string];
        const of = reading(owner);
        const plan = planUpdate(due(b === '-' ? undefined : b, decided), cardOf(e), readOf(of, { note: c }), of);
        const what = `${letters}, owned by ${owner}, decided against ${decided}`;
        const isSent = expected !== '=' && (decided === c || (expected === 'owner' && owner === 'ea'));
        if (isSent) t.strictSame(plan, { kind: 'write', sent: { note: e }, targets: ['description'] }, what);
        else if (expected === 'conflict')
          t.match(plan, { kind: 'conflict', diff: [{ cmdb: c, ea: e, base: b }] }, what);
        else t.strictSame(plan, { kind: 'write', sent: {}, targets: [] }, what);
      }
});

t.test('values are written as the other system has them, or not at all', async (t) => {
  const of = reading('ea', { kind: 'value_map', values: { '1': 'yes', '2': 'no' }, otherwise: 'other' });
  const plan = (value: string | null) => planUpdate(due('yes'), cardOf(value), readOf(of, { note: '1' }), of);
  t.match(plan('no'), { sent: { note: '2' } });
  t.match(plan(null), { sent: { note: null } });
  t.match(plan('third'), { kind: 'refused', reason: /no counterpart/ });
  t.match(planUpdate(due('x'), cardOf('y'), readOf(reading('ea'), { note: {} }), reading('ea')), {
    kind: 'refused',
    reason: /description: /,
  });
});

t.test('what the other system returns decides what is known', async (t) => {
  const of = reading('ea');
  const after = (values: Record<string, unknown>) => {
    const read = readOf(of, values);
    const result = written({ id: 'r', values }, read, { description: 'old' }, { description: 'new' }, of);
    const mark = markOf(due('old'), cardOf('new'), result.values, result.isWhole ? read : undefined, of);
    return { reason: refusedOf(result.values, { description: 'new' }), mark };
  };
  const references = readOf(of, {}).references_digest;
  t.match(after({ note: 'new' }), { reason: null, mark: { base: { description: 'new' }, pushed_version: 7 } });
  t.equal(after({ note: 'new' }).mark.digest, null, 'other references have to be read');
  const whole = readOf(of, { note: 'new' });
  const known = { ...due('old'), references_digest: references };
  t.match(markOf(known, cardOf('new'), whole.values, whole, of), { digest: whole.digest, pulled_version: 7 });
  t.match(
    after({ other: 1 }),
    { reason: null, mark: { pushed_version: 7, digest: null } },
    'a field that is not shown',
  );
  t.match(after({ note: 'old' }), {
    reason: /not taken over/,
    mark: { pushed_version: null, base: { description: 'old' } },
  });
});

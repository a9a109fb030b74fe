import type { Host } from '../basics.js';
import type { FieldDiff } from './definition.js';
import type { LockedRecord } from './decisions-repository.js';
import type { Resolve } from './schemas.js';

type Decided = Pick<LockedRecord, 'id' | 'state' | 'action' | 'diff' | 'detail'>;

/**
 * A record after the decision of a person.
 * @throws validation_failed for a decision that the record does not allow
 */
export function decided(host: Pick<Host, 'invalid'>, record: LockedRecord, body: Resolve): Decided {
  const { take } = body;
  const faults: { field: string; reason: string }[] = [];
  const refuse = (field: string, reason: string): void => void faults.push({ field, reason });
  if ((body.card_id !== undefined) !== (take === 'link'))
    refuse('/card_id', take === 'link' ? 'is required' : 'is only for `link`');
  if ((body.values !== undefined) !== (take === 'value'))
    refuse('/values', take === 'value' ? 'is required' : 'is only for `value`');
  let next: Decided = { ...record, state: 'approved' };
  const isRemote = record.side === 'cmdb' && record.action === 'create';
  if (record.state === 'sent' && take !== 'create' && take !== 'skip')
    refuse('/take', 'must be create or skip for a creation whose outcome is not known');
  else if (take === 'create' && isRemote) next = { ...record, state: 'approved' };
  else if (take === 'skip') next = { ...record, state: 'resolved' };
  else if (take === 'link' || take === 'create') {
    if (record.card_id !== null || record.side !== 'card' || record.action === 'archive')
      refuse('/take', 'is only for a record without a card');
    next = {
      ...next,
      action: take === 'link' ? 'update' : 'create',
      detail: { ...record.detail, link: body.card_id } as Decided['detail'],
    };
  } else next = { ...next, ...fieldsDecided(record, body, refuse) };
  if (faults.length > 0) throw host.invalid(...faults);
  return next;
}

function fieldsDecided(
  record: LockedRecord,
  { take, fields, values = {} }: Resolve,
  refuse: (field: string, reason: string) => void,
): Pick<Decided, 'diff' | 'state' | 'action'> {
  const conflicts = record.diff.filter((entry) => entry.take === 'conflict').map(({ field }) => field);
  if (conflicts.length === 0) refuse('/take', 'is only for a record with conflicts');
  const chosen = fields ?? (take === 'value' ? Object.keys(values) : conflicts);
  for (const [i, field] of chosen.entries())
    if (!conflicts.includes(field))
      refuse(fields ? `/fields/${i}` : `/values/${pointer(field)}`, 'names no conflict of the record');
  if (take === 'value')
    for (const field of chosen) if (!Object.hasOwn(values, field)) refuse('/values', `has no ${field}`);
  const diff = record.diff.map((entry): FieldDiff => {
    if (entry.take !== 'conflict' || !chosen.includes(entry.field)) return entry;
    const side = take as 'cmdb' | 'ea' | 'value';
    return { ...entry, take: side, decided: true, ...(side === 'value' && { value: values[entry.field] }) };
  });
  // Fields that are not decided yet keep the record waiting.
  const isOpen = diff.some((entry) => entry.take === 'conflict');
  return { diff, state: isOpen ? 'pending' : 'approved', action: isOpen ? record.action : 'update' };
}

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

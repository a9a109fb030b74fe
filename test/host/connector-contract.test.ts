/** The contract of connectors: a sound connector fulfils it, and each defect is found by the check that is about it. */
import assert from 'node:assert/strict';
import { ConnectorError, Strict, Type, type Connector, type ConnectorRecord } from '@lintel/sdk';
import { connectorContract, type ConnectorContract, type SourceFault } from '@lintel/sdk/testing';
import t from 'tap';

type Defect =
  | 'offset'
  | 'short page'
  | 'endless'
  | 'null fields'
  | 'late mark'
  | 'new ids'
  | 'large pages'
  | 'secret'
  | 'deaf'
  | 'any table'
  | 'plain errors'
  | 'own cursor'
  | 'stale update'
  | 'whole update'
  | 'lost correlation'
  | 'any correlation'
  | 'no description'
  | 'unknown ids';

interface Item {
  id: number;
  values: Record<string, unknown>;
  changed: number;
}

/** A connector to a list in memory, with a defect. */
function contractOf(defect?: Defect): ConnectorContract {
  const is = (other: Defect): boolean => defect === other;
  let items: Item[] = [];
  let [last, clock, reads] = [0, 0, 0];
  let fault: SourceFault | undefined;
  let hidden: string | undefined;
  const now = (): number => (clock += 1);

  const show = ({ id, values }: Item): ConnectorRecord => {
    const shown: Record<string, unknown> = { ...values };
    if (hidden !== undefined) {
      if (is('null fields')) shown[hidden] = null;
      else delete shown[hidden];
    }
    return { id: is('new ids') ? `${id}-${reads}` : String(id), values: shown };
  };
  const config = Strict({ url: Type.String(is('no description') ? {} : { description: 'Address.' }) });

  return {
    connector: {
      key: 'memory',
      title: 'Memory',
      description: 'For tests.',
      config,
      secrets: { token: { description: 'Token.' } },
      open(_services, { secrets, signal }): Connector {
        const mine = new Map<string, number>();
        const demand = (table: string): void => {
          if (!is('deaf')) signal.throwIfAborted();
          if (table !== 'items' && !is('any table')) throw new ConnectorError('not_found', 'There is no such table.');
          const detail = is('secret') ? ` ${secrets['token']}` : '';
          if (fault === 'unauthorized' || secrets['token'] !== 'secret-of-tests')
            throw new ConnectorError('authentication', `The token is refused.${detail}`);
          if (fault !== undefined && is('plain errors')) throw new Error('failed');
          if (fault !== undefined) throw new ConnectorError('unreachable', 'It fails.');
        };
        const find = (id: string): Item | undefined => items.find((item) => String(item.id) === id);
        return {
          async test() {
            demand('items');
            return { detail: 'Memory' };
          },
          tables: async () => [{ key: 'items', label: 'Items' }],
          async fields(table) {
            demand(table);
            return ['name', 'note', 'ref'].map((key) => ({ key, label: key, type: 'text', isWritable: true }));
          },
          async read({ table, cursor, since, limit }) {
            if (is('short page') && fault !== undefined && cursor !== undefined) return { records: [] };
            demand(table);
            reads += 1;
            const changed = items.filter((item) => item.changed > Number(since ?? -1));
            const start = is('own cursor') ? (mine.get(cursor ?? '') ?? 0) : Number(cursor ?? 0);
            const found = is('offset') ? changed.slice(start) : changed.filter(({ id }) => id > start);
            const page = found.slice(0, is('large pages') ? limit + 1 : limit);
            const end = is('offset') ? start + page.length : (page.at(-1)?.id ?? 0);
            if (is('own cursor')) mine.set(`c${end}`, end);
            const isLast = is('endless') ? false : page.length === found.length;
            return {
              records: page.map(show),
              ...(!isLast && { next: is('own cursor') ? `c${end}` : String(is('endless') ? now() : end) }),
              ...(cursor === undefined && { watermark: String(is('late mark') ? clock + 100 : clock) }),
            };
          },
          async get(table, ids) {
            demand(table);
            const found = ids.map(find);
            if (is('unknown ids') && found.includes(undefined))
              throw new ConnectorError('not_found', 'No such record.');
            return found.filter((item) => item !== undefined).map(show);
          },
          async update(table, id, values) {
            demand(table);
            const item = find(id);
            if (!item) throw new ConnectorError('not_found', 'There is no such record.');
            const before = show(item);
            Object.assign(item, {
              values: is('whole update') ? values : { ...item.values, ...values },
              changed: now(),
            });
            return is('stale update') ? before : show(item);
          },
          async create(table, values, correlation) {
            // A fault that cuts off the answer lets the record exist.
            if (fault !== 'cut_off' || secrets['token'] !== 'secret-of-tests') demand(table);
            const item = {
              id: ++last,
              values: { note: '', ...values, ...(!is('lost correlation') && { ref: correlation }) },
              changed: now(),
            };
            items.push(item);
            demand(table);
            return show(item);
          },
          async findCreated(table, correlation) {
            demand(table);
            const found = items.find(({ values }) => values['ref'] === correlation);
            const any = is('any correlation') ? items.at(-1) : undefined;
            return (found ?? any) && show((found ?? any)!);
          },
        };
      },
    },
    config: { url: 'memory' },
    secrets: { token: 'secret-of-tests' },
    table: 'items',
    fields: ['name', 'note'],
    hasWatermarks: true,
    source: {
      clear: () => void (items = []),
      create(n) {
        items.push({ id: ++last, values: { name: `Item ${n}`, note: 'x' }, changed: now() });
        return String(last);
      },
      change: (id, n) =>
        items
          .filter((item) => String(item.id) === id)
          .forEach((item) => Object.assign(item, { values: { ...item.values, name: `Changed ${n}` }, changed: now() })),
      remove: (id) => void (items = items.filter((item) => String(item.id) !== id)),
      fail: (now) => void (fault = now),
      hide: (field) => void (hidden = field),
    },
    writes: (n) => ({ name: `Written ${n}` }),
  };
}

/** The names of the checks that fail. */
async function failing(defect?: Defect): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of connectorContract(contractOf(defect)))
    await run().catch((error: unknown) => {
      if (!(error instanceof assert.AssertionError) && !(error instanceof ConnectorError)) throw error;
      names.push(name);
    });
  return names;
}

t.test('a sound connector fulfils the contract', async (t) => t.strictSame(await failing(), []));

const FOUND: Record<Defect, RegExp> = {
  offset: /although records that were read are removed/,
  'short page': /the fault error is an error, not a page/,
  endless: /the pages of a read/,
  'null fields': /absent, not null/,
  'late mark': /watermark/,
  'new ids': /the same id each time/,
  'large pages': /the pages of a read/,
  secret: /no secrets/,
  deaf: /signal is aborted/,
  'any table': /unknown table/,
  'plain errors': /the fault cut_off is an error/,
  'own cursor': /continues from a cursor with another connection/,
  'stale update': /returns the record as it is/,
  'whole update': /changes its fields only/,
  'lost correlation': /carries its correlation id/,
  'any correlation': /carries its correlation id/,
  'no description': /are described/,
  'unknown ids': /those that exist/,
};
for (const [defect, expected] of Object.entries(FOUND) as [Defect, RegExp][])
  t.test(`defect: ${defect}`, async (t) => {
    const names = await failing(defect);
    t.ok(
      names.some((name) => expected.test(name)),
      names.join('; ') || 'nothing is found',
    );
  });

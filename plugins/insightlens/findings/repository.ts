import type { Inventory, InventorySql, ListParams, PageResult, UnitOfWork } from '@lintel/sdk';
import { SEVERITIES, type Need, type Severity } from '../analyses/definition.js';
import { analysisOf } from '../analyses/index.js';
import { NOW } from '../basics.js';
import type { FindingQuery, FindingView } from './schemas.js';
import { currentRuns, ofRuns, visibleFindings } from './visible-repository.js';

type Row<T> = T & Record<string, unknown>;

const SPEC = {
  id: 'l.id',
  idType: 'uuid',
  sorts: {
    severity: { sql: 'l.severity', type: 'integer' },
    score: { sql: 'l.score', type: 'numeric', nullable: true },
    found_at: { sql: 'l.found_at', type: 'timestamptz' },
  },
  defaultSort: 'severity',
  defaultDir: 'desc',
} as const;

const columns = ({ cards }: InventorySql): string =>
  `l.id, l.kind, l.rule, l.severity, l.score::float8 as score, l.evidence, l.state, l.note, l.promoted_to, l.state_by, l.state_at, l.run_id, l.is_current,
    l.found_at, l.version, l.needs,
    (select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'type', c.type, 'role', k.role) order by k.role, c.name_key, c.id)
      from insightlens_result_cards k join ${cards({}, {}, ['id', 'name', 'name_key', 'type'])} c on c.id = k.card_id
      where k.run_id = l.run_id and k.finding_id = l.id) as cards`;

const LOCK = {
  name: 'insightlens-finding-lock',
  text: 'select id, kind, state, version from insightlens_findings where id = $1 for no key update',
};
const MOVE = {
  name: 'insightlens-finding-move',
  text: `update insightlens_findings set state = $2, note = $3, state_by = $4, state_at = ${NOW}, version = version + 1 where id = $1`,
};

interface Stored extends Omit<FindingView, 'severity' | 'allowed_transitions' | 'state_at' | 'found_at'> {
  severity: number;
  state_at: Date | null;
  found_at: Date;
  needs: Need[];
}
/** A finding with what is needed for its events. */
export interface FoundFinding {
  view: FindingView;
  needs: Need[];
}
function foundOf({ severity, state_at, found_at, needs, ...row }: Stored): FoundFinding {
  const view = {
    ...row,
    severity: SEVERITIES[severity - 1]!,
    allowed_transitions: [...(analysisOf(row.kind)?.states.moves[row.state] ?? [])],
    state_at: state_at?.toISOString() ?? null,
    found_at: found_at.toISOString(),
  };
  return { view, needs };
}

const among = (column: string, list: string, { bind }: InventorySql): string =>
  `${column} = any(${bind(list.split(','))}::text[])`;

/** Results of the runs and the card of a list. */
function narrow(runs: readonly string[], { kind, card_id, run_id }: FindingQuery, sql: InventorySql): string {
  const { bind } = sql;
  const conditions = [ofRuns(runs, sql)];
  if (run_id !== undefined) {
    const kinds = kind === undefined ? '' : ` and ${among('u.kind', kind, sql)}`;
    conditions.push(`exists (select from insightlens_runs u where u.id = r.run_id and u.state = 'done'${kinds})`);
  }
  if (card_id !== undefined)
    conditions.push(
      `(r.run_id, r.finding_id) in (select w.run_id, w.finding_id from insightlens_result_cards w where w.card_id = ${bind(card_id)}::uuid)`,
    );
  return conditions.join(' and ');
}

function conditions({ rule, severity, state }: FindingQuery, sql: InventorySql): string[] {
  const grades = severity?.split(',').map((key) => SEVERITIES.indexOf(key as Severity) + 1);
  return [
    ...(rule === undefined ? [] : [among('l.rule', rule, sql)]),
    ...(state === undefined ? [] : [among('l.state', state, sql)]),
    ...(grades === undefined ? [] : [`l.severity = any(${sql.bind(grades)}::smallint[])`]),
  ];
}

/** One page of the findings that the caller sees. */
export async function listFindings(
  inventory: Inventory,
  query: FindingQuery & ListParams,
): Promise<PageResult<FindingView>> {
  const { kind, rule, severity, state, card_id, run_id, ...params } = query;
  const runs = run_id === undefined ? await currentRuns(inventory, kind?.split(',')) : [run_id];
  const page = await inventory.readPage<Row<Stored>>('insightlens-findings', (sql) => ({
    source: visibleFindings(inventory, sql, narrow(runs, query, sql)),
    isLarge: true,
    spec: SPEC,
    params,
    where: conditions(query, sql),
    columns: columns(sql),
    scope: JSON.stringify([kind, rule, severity, state, card_id, run_id]),
  }));
  return { ...page, items: page.items.map((row) => foundOf(row).view) };
}

/** A finding by the latest completed run that has found it; undefined if the caller may not see it. */
export async function findFinding(inventory: Inventory, id: string): Promise<FoundFinding | undefined> {
  const page = await inventory.readPage<Row<Stored>>('insightlens-finding', (sql) => {
    const finding = `${sql.bind(id)}::uuid`;
    const latest = `(select o.id from insightlens_runs o join insightlens_results w on w.run_id = o.id and w.finding_id = ${finding}
      where o.state = 'done' order by o.created_at desc, o.id desc limit 1)`;
    return {
      source: visibleFindings(inventory, sql, `r.finding_id = ${finding} and r.run_id = ${latest}`),
      spec: SPEC,
      params: { page_size: 1, total: 'none' },
      columns: columns(sql),
      scope: 'one',
    };
  });
  const [row] = page.items;
  return row && foundOf(row);
}

/** A finding that is locked until the transaction ends. */
export interface LockedFinding {
  id: string;
  kind: string;
  state: string;
  version: number;
}

export async function lockFinding(uow: UnitOfWork, id: string): Promise<LockedFinding | undefined> {
  return (await uow.query<Row<LockedFinding>>(LOCK, [id]))[0];
}

/** @param finding locked */
export async function moveFinding(uow: UnitOfWork, id: string, to: string, note: string | null): Promise<void> {
  await uow.query(MOVE, [id, to, note, uow.ctx.actor?.id ?? null]);
}

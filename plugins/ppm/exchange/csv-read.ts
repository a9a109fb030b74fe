/** A plan from CSV, with the columns that the export has; only `title` is required. */
import { unguardedCell } from '@lintel/sdk';
import { CsvError, parse } from 'csv-parse/sync';
import { dayOf } from '../calendar/days.js';
import { CONSTRAINTS, type Constraint } from '../schedule/types.js';
import { COLUMNS, COST_COLUMNS } from './csv-write.js';
import {
  FileRefusal,
  lengthOf,
  MAX_DEPTH,
  MAX_DURATION,
  MAX_DESCRIPTION,
  MAX_ITEMS,
  MAX_TITLE,
  Problems,
  type FileItem,
  type FileLink,
  type ReadPlan,
} from './file-plan.js';
import { readPredecessors } from './predecessors.js';

const KNOWN: readonly string[] = [...COLUMNS, ...COST_COLUMNS];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const OUTLINE = /^\d{1,6}(\.\d{1,6})*$/;
const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/;

interface Row {
  line: number;
  cells: string[];
}

/** Names of columns have no separators in them: the one that occurs in the first line is that of the file. */
function delimiterOf(text: string): string {
  const [head = ''] = text.slice(0, 5_000).split(/[\r\n]/, 1);
  return [',', ';', '\t'].find((one) => head.includes(one)) ?? ',';
}

function rowsOf(text: string): Row[] {
  const options = {
    bom: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 200_000,
  };
  try {
    const records = parse(text, { ...options, info: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    // The parser states the line at which a record ends.
    let next = 1;
    return records.map(({ record, info }) => {
      const line = next;
      next = info.lines + 1;
      return { line: Math.min(line, info.lines), cells: record };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileRefusal(
      Number((error as { lines?: number }).lines ?? 1),
      `The file is not CSV: ${error.message.slice(0, 200)}`,
    );
  }
}

/** Reads the cells of one row by the name of their column, and collects what is wrong. */
class Cells {
  constructor(
    private readonly columns: ReadonlyMap<string, number>,
    private readonly row: Row,
    private readonly problems: Problems,
  ) {}

  has(name: string): boolean {
    return this.columns.has(name);
  }

  text(name: string): string {
    const at = this.columns.get(name);
    return at === undefined ? '' : unguardedCell(this.row.cells[at] ?? '');
  }

  /** A cell without spaces around it, null if it is empty. @param test what is allowed @param rule in words */
  checked(name: string, test: (text: string) => boolean, rule: string): string | null {
    const text = this.text(name).trim();
    if (text === '') return null;
    if (test(text)) return text;
    this.wrong(`${name} ${rule}, not ${JSON.stringify(text.slice(0, 60))}.`);
    return null;
  }

  date(name: string): string | null {
    return this.checked(name, (text) => !Number.isNaN(dayOf(text)) && text >= '0001', 'must be a date, YYYY-MM-DD');
  }

  number(name: string, most: number, whole: boolean): number | null {
    const rule = `must be ${whole ? 'an integer' : 'a number with at most two decimals'} from 0 to ${most}`;
    const text = this.checked(
      name,
      (one) => (whole ? /^\d{1,6}$/ : /^\d{1,6}(\.\d{1,2})?$/).test(one) && Number(one) <= most,
      rule,
    );
    return text === null ? null : Number(text);
  }

  wrong(reason: string): void {
    this.problems.add(this.row.line, reason);
  }
}

/** @throws FileRefusal */
export function readCsv(text: string): ReadPlan {
  const problems = new Problems();
  const [head, ...rows] = rowsOf(text);
  if (!head) throw new FileRefusal(1, 'The file has no rows.');
  const names = head.cells.map((name) => name.trim().toLowerCase());
  for (const name of names)
    if (!KNOWN.includes(name))
      problems.add(head.line, `${JSON.stringify(name.slice(0, 60))} is no column; known are ${KNOWN.join(', ')}.`);
  if (new Set(names).size < names.length) problems.add(head.line, 'A column occurs twice.');
  if (!names.includes('title')) problems.add(head.line, 'The column title is missing.');
  if (rows.length > MAX_ITEMS) problems.add(rows[MAX_ITEMS]!.line, `A plan has at most ${MAX_ITEMS} items.`);
  if (problems.list.length > 0) return { ok: false, problems: problems.list };
  const columns = new Map(names.map((name, i) => [name, i]));
  const links: FileLink[] = [];
  const keys = new Map<string, number>();
  const items = rows.map((row, i): FileItem => {
    const cells = new Cells(columns, row, problems);
    const number = cells.checked('number', (one) => /^\d{1,9}$/.test(one), 'must be an integer');
    const key = number === null ? String(i + 1) : String(Number(number));
    if (keys.has(key)) cells.wrong(`The number ${key} is also that of line ${keys.get(key)}.`);
    keys.set(key, row.line);
    const predecessors = readPredecessors(cells.text('predecessors'));
    if ('wrong' in predecessors)
      cells.wrong(`predecessors must be like 3FS+2d;5SS, not ${JSON.stringify(predecessors.wrong.slice(0, 60))}.`);
    else
      for (const one of predecessors) links.push({ ...one, line: row.line, predecessor: one.number, successor: key });
    return itemOf(cells, row.line, key);
  });
  for (const link of links)
    if (!keys.has(link.predecessor)) problems.add(link.line, `There is no row with the number ${link.predecessor}.`);
  if (problems.list.length > 0) return { ok: false, problems: problems.list };
  const plan = {
    format: 'csv' as const,
    items,
    links: columns.has('predecessors') ? links : undefined,
    calendar: undefined,
    start_date: undefined,
    isExport: false,
    notes: [],
  };
  return { ok: true, plan };
}

const YES = ['true', 'yes', '1', 'x'];
const NO = ['false', 'no', '0'];

function itemOf(cells: Cells, line: number, key: string): FileItem {
  const title = cells.text('title');
  if (title.trim() === '') cells.wrong('The title is empty.');
  if (lengthOf(title) > MAX_TITLE) cells.wrong(`The title has more than ${MAX_TITLE} characters.`);
  const description = cells.text('description');
  if (lengthOf(description) > MAX_DESCRIPTION)
    cells.wrong(`The description has more than ${MAX_DESCRIPTION} characters.`);
  const outline = cells.checked('outline', (one) => OUTLINE.test(one), 'must be like 1.2.3');
  const depth = outline === null ? 0 : outline.split('.').length - 1;
  if (depth >= MAX_DEPTH) cells.wrong(`A plan has at most ${MAX_DEPTH} levels.`);
  const milestone = cells.checked(
    'milestone',
    (one) => [...YES, ...NO].includes(one.toLowerCase()),
    'must be true or false',
  );
  const cost = cells.checked('planned_cost', (one) => AMOUNT.test(one), 'must be an amount such as 1250.00');
  const currency = cells.checked('planned_currency', (one) => /^[A-Z]{3}$/.test(one), 'must be a currency of ISO 4217');
  return {
    key,
    line,
    id: cells.checked('id', (one) => UUID.test(one), 'must be a UUID')?.toLowerCase() ?? null,
    external_id: cells.checked('external_id', (one) => lengthOf(one) <= 100, 'has at most 100 characters'),
    depth,
    title,
    description: cells.has('description') ? (description === '' ? null : description) : undefined,
    is_milestone: milestone !== null && YES.includes(milestone.toLowerCase()),
    start_date: cells.date('start_date'),
    end_date: cells.date('end_date'),
    duration_days: cells.number('duration_days', MAX_DURATION, true),
    completion: cells.has('completion') ? (cells.number('completion', 100, false) ?? 0) : undefined,
    constraint_type: cells.checked(
      'constraint_type',
      (one) => CONSTRAINTS.some((known) => known === one),
      `must be one of ${CONSTRAINTS.join(', ')}`,
    ) as Constraint | null,
    constraint_date: cells.date('constraint_date'),
    planned_cost: cells.has('planned_cost') ? cost : undefined,
    planned_currency: cells.has('planned_cost') ? currency : undefined,
  };
}

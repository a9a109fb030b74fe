import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Options } from './options.js';
import type { DiskFigures, WriteFigures } from './writes.js';

/** One line of the table. */
export interface Row {
  work: string;
  figure: number;
  unit: string;
  limit?: { name: string; value: number; unit: string };
  /** The figure divided by the limit. */
  ratio?: number;
  target?: { text: string; holds: boolean };
  /** Latency in ms. */
  p50?: number;
  p99?: number;
  /** CPU µs per request or row. */
  node?: number | undefined;
  postgres?: number | undefined;
  note?: string;
}

/** A section that was not measured, and the reason. */
export interface Failure {
  section: string;
  reason: string;
}

/** @returns the number with three significant digits, thousands separated by commas */
export function short(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

type Column<T> = [title: string, cell: (row: T) => string, side: 'left' | 'right'];

const COLUMNS: Column<Row>[] = [
  ['work', (r) => r.work, 'left'],
  ['figure', (r) => `${short(r.figure)} ${r.unit}`, 'right'],
  ['limit', (r) => (r.limit ? `${r.limit.name} ${short(r.limit.value)} ${r.limit.unit}` : ''), 'left'],
  ['ratio', (r) => (r.ratio === undefined ? '' : r.ratio.toFixed(2)), 'right'],
  ['target', (r) => r.target?.text ?? '', 'left'],
  ['holds?', (r) => (r.target ? (r.target.holds ? 'yes' : 'NO') : ''), 'left'],
  ['p50 ms', (r) => short(r.p50), 'right'],
  ['p99 ms', (r) => short(r.p99), 'right'],
  ['node µs', (r) => short(r.node), 'right'],
  ['pg µs', (r) => short(r.postgres), 'right'],
  ['note', (r) => r.note ?? '', 'left'],
];

/** An unknown figure is a dash. */
const known = (value: number | null): string => (value === null ? '–' : short(value));

const WRITE_COLUMNS: Column<WriteFigures>[] = [
  ['write', (w) => w.name, 'left'],
  ['per', (w) => w.per, 'left'],
  ['/s', (w) => short(w.per_second), 'right'],
  ['node ms', (w) => known(w.node_ms), 'right'],
  ['pg ms', (w) => known(w.postgres_ms), 'right'],
  ['WAL bytes', (w) => short(w.wal_bytes), 'right'],
  ['whole pages', (w) => known(w.wal_page_bytes), 'right'],
  ['statements', (w) => short(w.statements), 'right'],
  ['HOT', (w) => (w.hot_share === null ? '–' : `${(w.hot_share * 100).toFixed(0)} %`), 'right'],
];

/** The rows as text with aligned columns. */
export const table = (rows: readonly Row[]): string => aligned(COLUMNS, rows);

/** What each kind of write costs, as text with aligned columns. */
export const writeTable = (writes: readonly WriteFigures[]): string => aligned(WRITE_COLUMNS, writes);

/** The space on disk in one line. */
export const diskLine = (disk: DiskFigures): string =>
  `disk per card after the fill: ${short(disk.card_tables_bytes_per_card)} bytes in the tables of cards, ${short(disk.database_bytes_per_card)} bytes in the whole database`;

function aligned<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  return cells
    .map((line) =>
      line
        .map((text, i) => (columns[i]![2] === 'left' ? text.padEnd(widths[i]!) : text.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A note if the machine has other load, which affects rates and latencies but not ratios and CPU time; else undefined. */
export function busyNote(load: number): string | undefined {
  return load > cpus().length / 2
    ? `The machine had other work at the start (load ${load.toFixed(1)} on ${cpus().length} processors): rates and latencies came out worse than on an idle one.`
    : undefined;
}

/** Load average of the last minute. */
export const loadNow = (): number => loadavg()[0] ?? 0;

/** What a run measured. */
export interface Figures {
  rows: Row[];
  /** What each kind of write costs. */
  writes: WriteFigures[];
  /** The space on disk; undefined before the fill. */
  disk: DiskFigures | undefined;
}

/** Writes all figures, not rounded, with the machine they were measured on. */
export function writeJson(
  options: Options,
  { rows, writes, disk }: Figures,
  failures: readonly Failure[],
  seconds: number,
  load: number,
): void {
  const report = {
    at: new Date().toISOString(),
    size: options.size,
    scale: options.scale,
    seconds,
    machine: {
      cpus: cpus().length,
      model: cpus()[0]?.model,
      memory_mb: Math.round(totalmem() / 1024 / 1024),
      node: process.version,
      load_before: load,
    },
    rows,
    writes: Object.fromEntries(writes.map(({ name, ...figures }) => [name, figures])),
    disk,
    failures,
  };
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

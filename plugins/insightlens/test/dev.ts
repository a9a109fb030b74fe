import { PairFinder } from '../duplicates/finder.js';
import { plantedLandscape } from './planted/landscape.js';
const [seed, size] = process.argv.slice(2).map(Number);
const l = plantedLandscape(seed!, size!);
const t0 = performance.now();
const f = new PairFinder();
f.add(l.cards.map((c) => ({ id: c.id, name: c.name, alias: null, text: c.text, parent: null, linked: c.successorOf ? [c.successorOf] : [],
  related: [...c.capabilities.map((id) => ({ id, group: 'capabilities' as const })), ...c.users.map((id) => ({ id, group: 'users' as const })), ...c.suppliers.map((id) => ({ id, group: 'suppliers' as const }))] })));
const t1 = performance.now();
const pairs = f.match(0, f.size);
const t2 = performance.now();
const key = (a: string, b: string) => (a < b ? a + b : b + a);
const truth = new Map(l.duplicates.map((p) => [key(p.a, p.b), p.kind]));
const alike = new Map(l.lookAlikes.map((p) => [key(p.a, p.b), p.kind]));
const names = new Map(l.cards.map((c) => [c.id, c]));
const found = new Map(pairs.map((p) => [key(p.a, p.b), p]));
const per: Record<string, [number, number]> = {};
for (const [k, kind] of truth) { per[kind] ??= [0, 0]; per[kind]![1]++; if (found.has(k)) per[kind]![0]++; else if (process.env.V) console.log('MISS', kind, names.get(k.slice(0, 36))!.name, '|', names.get(k.slice(36))!.name); }
let fp = 0;
for (const [k, p] of found) if (!truth.has(k)) { fp++; if (process.env.V) console.log('FALSE', alike.get(k) ?? '', names.get(p.a)!.name, '|', names.get(p.b)!.name, p.score, JSON.stringify(p.evidence)); }
const tp = found.size - fp;
console.log(per, { tp, fp, precision: tp / found.size, recall: tp / truth.size }, Math.round(t1 - t0), Math.round(t2 - t1), Math.round(process.memoryUsage().rss / 1e6));

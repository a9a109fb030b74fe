import type { CardOperation, RelationOperation, UnitOfWork } from '@lintel/sdk';
import type { RelationMap } from '../mappings/definition.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import {
  bumpVersions,
  countUnresolved,
  findOpenLinks,
  findUnwantedLinks,
  removeLinks,
  saveLinks,
  type LinkResult,
  type OpenLink,
} from './links-repository.js';

const BATCH = 500;

/**
 * Makes relations and parents of references whose targets are known, also of earlier runs, and removes those whose references are
 * gone: never a relation that existed before the reference.
 */
export async function applyLinks(work: RunWork): Promise<void> {
  if (work.mapping.relations.length === 0) return;
  await removeUnwanted(work);
  let after: readonly [string, string, string] | undefined;
  for (let isOver = false; !isOver; ) {
    work.job.signal.throwIfAborted();
    await work.step(['applying'], async (uow, run) => {
      const links = await findOpenLinks(uow, work.host, work.ctx, work.mapping, after, BATCH);
      isOver = links.length < BATCH;
      const last = links.at(-1);
      const linked = last ? await make(work, uow, links) : 0;
      if (last) after = [last.external_id, last.map_key, last.target_id];
      const counts = added(run.counts, { linked });
      return { counts: isOver ? { ...counts, unresolved: await countUnresolved(uow, work.mapping.id) } : counts };
    });
  }
}

const mapsOf = ({ mapping }: RunWork): Map<string, RelationMap> =>
  new Map(mapping.relations.map((map) => [map.key, map]));

/** @returns the number of references that are relations or parents now */
async function make(work: RunWork, uow: UnitOfWork, links: readonly OpenLink[]): Promise<number> {
  const { host, mapping } = work;
  const maps = mapsOf(work);
  const results: LinkResult[] = [];
  const relations = links.filter(({ map_key }) => maps.get(map_key) && maps.get(map_key)!.relation_type !== 'parent');
  if (relations.length > 0) {
    const operations = relations.map(({ map_key, card_id, target_card }): RelationOperation => {
      const { relation_type, card_end } = maps.get(map_key)!;
      const [source_id, target_id] = card_end === 'source' ? [card_id, target_card] : [target_card, card_id];
      return { op: 'upsert', type: relation_type, source_id, target_id };
    });
    const { results: made } = await host.relations.bulkIn(uow, operations, { mode: 'per_row' });
    for (const [i, { outcome, id, errors }] of made.entries()) {
      const { external_id, map_key, target_id } = relations[i]!;
      if (outcome !== 'failed' && id !== undefined)
        results.push({ external_id, map_key, target_id, relation_id: id, is_made: outcome === 'created' });
      else host.log.info({ mapping_id: mapping.id, external_id, map_key, errors }, 'cmdbsync: a relation was refused');
    }
  }
  const parents = links.filter(({ map_key }) => maps.get(map_key)?.relation_type === 'parent');
  if (parents.length > 0) {
    const operations = parents.map(
      ({ card_id, target_card }): CardOperation => ({ op: 'update', id: card_id, card: { parent_id: target_card } }),
    );
    const { results: moved } = await host.cards.bulkIn(uow, operations, { mode: 'per_row' });
    const versions: { card_id: string; version: number }[] = [];
    for (const [i, { outcome, version, errors }] of moved.entries()) {
      const { external_id, map_key, target_id, card_id, target_card } = parents[i]!;
      if (outcome === 'failed') {
        host.log.info({ mapping_id: mapping.id, external_id, map_key, errors }, 'cmdbsync: a parent was refused');
        continue;
      }
      results.push({ external_id, map_key, target_id, relation_id: target_card, is_made: outcome === 'updated' });
      if (outcome === 'updated' && version !== undefined) versions.push({ card_id, version });
    }
    await bumpVersions(uow, mapping.id, versions);
  }
  await saveLinks(uow, mapping.id, results);
  return results.length;
}

async function removeUnwanted(work: RunWork): Promise<void> {
  const { host, mapping, ctx } = work;
  const maps = mapsOf(work);
  const parents = [...maps.values()].flatMap(({ key, relation_type }) => (relation_type === 'parent' ? [key] : []));
  for (let isOver = false; !isOver; ) {
    await work.step(['applying'], async (uow, run) => {
      const links = await findUnwantedLinks(uow, mapping.id, parents, BATCH);
      isOver = links.length < BATCH;
      if (links.length === 0) return undefined;
      const made = links.filter(({ is_made, relation_id }) => is_made && relation_id !== null);
      const relations = made.filter(({ map_key }) => maps.get(map_key)?.relation_type !== 'parent');
      if (relations.length > 0)
        await host.relations.bulkIn(
          uow,
          relations.map(({ relation_id }): RelationOperation => ({ op: 'delete', id: relation_id! })),
          { mode: 'per_row' },
        );
      const children = made.filter(({ map_key }) => maps.get(map_key)?.relation_type === 'parent');
      // Only where the parent is still the one that the reference had named.
      const cards =
        children.length === 0
          ? []
          : await host.cards.read(
              ctx,
              children.map(({ card_id }) => card_id),
            );
      const loose = cards.filter(({ id, parent_id }) =>
        children.some(({ card_id, relation_id }) => card_id === id && relation_id === parent_id),
      );
      if (loose.length > 0)
        await host.cards.bulkIn(
          uow,
          loose.map(({ id }): CardOperation => ({ op: 'update', id, card: { parent_id: null } })),
          { mode: 'per_row' },
        );
      await removeLinks(uow, mapping.id, links);
      return { counts: added(run.counts, { unlinked: relations.length + loose.length }) };
    });
  }
}

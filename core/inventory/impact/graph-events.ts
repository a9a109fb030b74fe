import type { LogEvent } from '@lintel/sdk';
import { dayNumber, NEVER, type RelationGraph } from './graph.js';
import { idOf } from './records.js';

/** Changes of a card that do not affect whether it is active. */
const RENAMING = new Set(['updated', 'approved', 'rejected', 'approval_reset']);
/** Events about items of a card are named `<item>_<verb>`, also those of modules. */
const OF_SOMETHING = /^[a-z0-9]+_[a-z0-9_]+$/;

/** An event that cannot be applied to the graph. */
class NotFollowed extends Error {
  constructor(event: LogEvent, reason: string) {
    super(`event ${event.position}, ${event.type}: ${reason}`);
  }
}

/**
 * Updates the graph to the state after an event. Each event contains the complete state of its subject, so that events
 * already included when the graph was read can be applied again.
 * @param isSettled whether the graph includes all earlier events; until then subjects of events may already be deleted
 * @throws where the event is unknown, or the graph is inconsistent with it: the graph must then be discarded
 */
export function applyEvent(graph: RelationGraph, event: LogEvent, isSettled: boolean): void {
  const dot = event.type.indexOf('.');
  const verb = event.type.slice(dot + 1);
  if (dot === 4 && event.type.startsWith('card.')) applyToCard(graph, event, verb, isSettled);
  else if (dot === 8 && event.type.startsWith('relation.')) applyToRelation(graph, event, verb, isSettled);
}

function applyToCard(graph: RelationGraph, event: LogEvent, verb: string, isSettled: boolean): void {
  const isRenaming = RENAMING.has(verb);
  if (!isRenaming && OF_SOMETHING.test(verb)) return;
  const { id, type, name } = event.subject;
  if (type == null || name == null) throw new NotFollowed(event, 'names no card');
  const key = idOf(id);
  let card = graph.card(key);
  if (verb === 'deleted') {
    if (card !== 0) graph.removeCard(card);
    return;
  }
  if (verb === 'created') card ||= graph.addCard(key, type, true);
  if (card === 0) {
    if (isSettled) throw new NotFollowed(event, 'the card is not there');
    return;
  }
  if (!isRenaming) graph.setActive(card, isActiveAfter(event, verb));
  graph.rename(card, name);
}

function isActiveAfter(event: LogEvent, verb: string): boolean {
  if (verb === 'archived') return false;
  if (verb === 'created' || verb === 'restored') return true;
  throw new NotFollowed(event, 'is not known');
}

function applyToRelation(graph: RelationGraph, event: LogEvent, verb: string, isSettled: boolean): void {
  const {
    subject: { id, type },
    data,
  } = event;
  const key = idOf(id);
  const relation = graph.relation(key);
  switch (verb) {
    case 'created': {
      const [source, target] = [data['source_id'], data['target_id']].map((end) => graph.card(idOf(String(end))));
      const validTo = lastDay(event, data['valid_to']);
      if (source && target && type != null) {
        if (relation === 0) graph.addRelation(key, type, source, target, validTo);
        else graph.setValidTo(relation, validTo);
      } else if (isSettled) throw new NotFollowed(event, 'an end is not there');
      return;
    }
    case 'updated': {
      const changes = Array.isArray(data['changes'])
        ? (data['changes'] as { field?: unknown; new?: unknown }[])
        : undefined;
      if (!changes) throw new NotFollowed(event, 'contains no changes');
      const change = changes.find(({ field }) => field === 'valid_to');
      if (relation === 0 && isSettled) throw new NotFollowed(event, 'the relation is not there');
      if (relation !== 0 && change) graph.setValidTo(relation, lastDay(event, change.new));
      return;
    }
    case 'deleted':
      if (relation !== 0) graph.removeRelation(relation);
      return;
    default:
      throw new NotFollowed(event, 'is not known');
  }
}

function lastDay(event: LogEvent, value: unknown): number {
  if (value === null) return NEVER;
  if (typeof value === 'string') return dayNumber(value);
  throw new NotFollowed(event, 'does not contain the validity of the relation');
}

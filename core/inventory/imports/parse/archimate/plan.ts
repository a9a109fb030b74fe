import type { CardType, Metamodel } from '../../../metamodel/index.js';
import { fieldValue } from '../cells.js';
import type { StagedCard, StagedRelation, StagedRow, Summary, Verdict } from '../../types.js';
import { ANY_RELATION, mappingOf } from './mapping.js';
import { assignNames, cut, isNumbered, plainName, type Named } from './names.js';
import type { ArchimateElement, ArchimateModel, ArchimateRelationship } from './parser.js';
import { ElementTree } from './tree.js';

/** The card created from an element by an earlier import. */
export interface KnownCard {
  id: string;
  name: string;
  parent_id: string | null;
  status: 'ACTIVE' | 'ARCHIVED';
  /** Number of cards above it. */
  depth: number;
}

/** A card name at a position. */
export interface Place {
  type: string;
  parent_id: string | null;
  name: string;
}

/** Queries of the plan to the workspace. */
export interface Workspace {
  /** @returns cards by type and external id, with keys of `key` */
  known(keys: readonly { type: string; external_id: string }[]): Promise<Map<string, KnownCard>>;
  /** @returns positions of active cards with these names, with or without a number, as keys of `taken` */
  taken(places: readonly Place[]): Promise<Set<string>>;
}

export const key = (type: string, externalId: string): string => `${type}\n${externalId}`;
export const group = (type: string, parent: string | null): string => `${type}\n${parent ?? ''}`;

const HIERARCHY = new Set(['Composition', 'Aggregation']);
const KIND_FIELD = 'archimateType';
const MAX_DESCRIPTION = 50_000;

interface Element {
  source: ArchimateElement;
  type?: CardType;
  verdict?: Verdict;
  known?: KnownCard | undefined;
}

/** Maps the elements and relationships of a model to rows, one each. */
class ArchimatePlan {
  private readonly elements: Element[];
  private readonly byIdentifier = new Map<string, number>();
  private readonly relationships: Set<string>;
  private readonly mapping;
  private readonly tree = new ElementTree((element) => this.elements[element]!.known?.depth ?? 0);
  private leftOut = 0;

  constructor(
    private readonly model: ArchimateModel,
    private readonly metamodel: Metamodel,
  ) {
    this.mapping = mappingOf(metamodel);
    this.relationships = new Set(model.relationships.map(({ identifier }) => identifier));
    this.elements = model.elements.map((source, i) => {
      if (this.byIdentifier.has(source.identifier)) return { source, verdict: 'duplicate' };
      this.byIdentifier.set(source.identifier, i);
      const type = metamodel.types.get(this.mapping.typeOf(source.kind) ?? '');
      return type ? { source, type } : { source, verdict: 'unmapped' };
    });
  }

  async *rows(workspace: Workspace, summary: Summary): AsyncGenerator<StagedRow> {
    const mapped = this.elements.filter((e) => e.type);
    const known = await workspace.known(
      mapped.map((e) => ({ type: e.type!.key, external_id: this.externalId(e.source) })),
    );
    for (const e of mapped) e.known = known.get(key(e.type!.key, this.externalId(e.source)));
    const relations = this.relate();
    const names = await this.names(workspace, new Set([...known.values()].map(({ id }) => id)));
    const inFile = new Set([...known.values()].map(({ id }) => id));
    for (let i = 0; i < this.elements.length; i++) yield this.card(i, names, inFile);
    yield* relations;
    if (this.leftOut > 0)
      summary.notes.push(
        `${this.leftOut} properties of elements name no field that can take their value; they were left out.`,
      );
  }

  private externalId({ identifier }: ArchimateElement): string {
    return `${this.model.identifier}/${identifier}`;
  }

  private relate(): StagedRelation[] {
    const seen = new Set<string>();
    return this.model.relationships.map((relationship, i) => {
      const row: StagedRelation = {
        kind: 'relation',
        n: this.elements.length + i + 1,
        line: relationship.line,
        reference: relationship.identifier,
        input: {},
      };
      const [source, target] = [relationship.source, relationship.target].map((id) => this.byIdentifier.get(id));
      const verdict = this.endsVerdict(relationship, source, target);
      if (verdict) return { ...row, verdict };
      const [from, to] = [this.elements[source!]!, this.elements[target!]!];
      const isHierarchy = HIERARCHY.has(relationship.kind) && from.type === to.type;
      if (
        isHierarchy &&
        this.mayBeParent(from.type!) &&
        this.tree.place(target!, source!, from.type!.definition.max_level)
      ) {
        return {
          ...row,
          verdict: [from, to].some((e) => e.known?.status === 'ARCHIVED') ? 'archived' : 'parent',
          source: { row: source! + 1 },
          target: { row: target! + 1 },
        };
      }
      const found = isHierarchy ? this.anyRelation() : this.mapping.relationOf(from.type!.key, to.type!.key);
      if (!found)
        return {
          ...row,
          verdict: 'unsupported',
          errors: [{ field: 'type', reason: 'no relation type fits these ends' }],
        };
      const [a, b] = found.reversed ? [target!, source!] : [source!, target!];
      const hasKind = this.metamodel.relationTypes.get(found.type)!.fields.byKey.has('kind');
      row.input = { type: found.type, ...(hasKind && { attributes: { kind: relationship.kind } }) };
      row.source = { row: a + 1 };
      row.target = { row: b + 1 };
      const same = `${found.type} ${a} ${b}`;
      if (seen.has(same)) row.verdict = 'duplicate';
      seen.add(same);
      return row;
    });
  }

  private endsVerdict(
    { source: from, target: to }: ArchimateRelationship,
    source: number | undefined,
    target: number | undefined,
  ): Verdict | undefined {
    const isRelationship = (end: number | undefined, id: string) => end === undefined && this.relationships.has(id);
    if (isRelationship(source, from) || isRelationship(target, to)) return 'unsupported';
    if (source === undefined || target === undefined || !this.elements[source]!.type || !this.elements[target]!.type)
      return 'dangling';
    // A card cannot have a relation to itself.
    return source === target ? 'unsupported' : undefined;
  }

  private mayBeParent({ key: type, definition }: CardType): boolean {
    return definition.has_hierarchy && definition.allowed_parent_types.includes(type);
  }

  private anyRelation(): { type: string; reversed: boolean } | undefined {
    return this.metamodel.relationTypes.has(ANY_RELATION) ? { type: ANY_RELATION, reversed: false } : undefined;
  }

  /** The parent of an element's card: another element, another card, or none. */
  private parent(i: number, inFile: ReadonlySet<string>): { element: number } | { id: string } | null {
    const element = this.tree.parentOf(i);
    if (element !== undefined && this.elements[element]!.known?.status !== 'ARCHIVED') return { element };
    const parentId = this.elements[i]!.known?.parent_id ?? null;
    // A parent from the model that the model no longer has is removed; one that a user set is kept.
    return parentId === null || (inFile.has(parentId) && element === undefined) ? null : { id: parentId };
  }

  private async names(workspace: Workspace, inFile: ReadonlySet<string>): Promise<Map<number, string>> {
    const wanted: Named[] = [];
    const places: Place[] = [];
    this.elements.forEach((e, i) => {
      if (!e.type || e.known?.status === 'ARCHIVED') return;
      const base = plainName(e.source.name) || `${e.source.kind} ${e.source.identifier.slice(-6)}`;
      const parent = this.parent(i, inFile);
      const parentId = parent === null ? null : 'id' in parent ? parent.id : this.elements[parent.element]!.known?.id;
      const at = group(
        e.type.key,
        parentId === undefined ? `row ${(parent as { element: number }).element}` : parentId,
      );
      const stays = e.known !== undefined && e.known.parent_id === parentId;
      wanted.push({ element: i, base, group: at, ...(stays && { current: e.known!.name }) });
      if (parentId !== undefined && !(stays && isNumbered(e.known!.name, base)))
        places.push({ type: e.type.key, parent_id: parentId, name: base });
    });
    const taken = await workspace.taken(places);
    return assignNames(wanted, (at, name) => taken.has(`${at}\n${name}`));
  }

  private card(i: number, names: ReadonlyMap<number, string>, inFile: ReadonlySet<string>): StagedCard {
    const { source, type, verdict, known } = this.elements[i]!;
    const row: StagedCard = {
      kind: 'card',
      n: i + 1,
      line: source.line,
      reference: source.identifier,
      byReferenceOnly: true,
      input: { name: names.get(i) ?? known?.name ?? plainName(source.name) },
    };
    if (!type) return { ...row, verdict: verdict!, input: { ...row.input, name: row.input.name || source.kind } };
    row.input.type = type.key;
    row.input.external_id = this.externalId(source);
    const documentation = cut(source.documentation.trim(), MAX_DESCRIPTION);
    if (documentation !== '') row.input.description = documentation;
    const attributes = this.attributes(source, type);
    if (Object.keys(attributes).length > 0) row.input.attributes = attributes;
    const parent = this.parent(i, inFile);
    if (parent === null) row.parent = null;
    else if ('element' in parent) row.parent = { row: parent.element + 1 };
    return row;
  }

  private attributes({ kind, properties }: ArchimateElement, type: CardType): Record<string, unknown> {
    const attributes: Record<string, unknown> = {};
    for (const [definition, text] of properties) {
      const name = this.model.properties.get(definition) ?? '';
      const field = name === KIND_FIELD || text.trim() === '' ? undefined : type.fields.byKey.get(name);
      const read = field && fieldValue(field, text);
      if (
        read &&
        'value' in read &&
        !Object.hasOwn(attributes, name) &&
        type.fields.errors({ [name]: read.value }, '').length === 0
      )
        attributes[name] = read.value;
      else this.leftOut++;
    }
    if (type.fields.byKey.has(KIND_FIELD)) attributes[KIND_FIELD] = kind;
    return attributes;
  }
}

/**
 * The rows for a model, in document order: one per element, then one per relationship.
 * @param summary receives remarks on the whole model
 */
export function planArchimate(
  model: ArchimateModel,
  metamodel: Metamodel,
  workspace: Workspace,
  summary: Summary,
): AsyncGenerator<StagedRow> {
  return new ArchimatePlan(model, metamodel).rows(workspace, summary);
}

/** Draws one diagram of a BPMN file, from its interchange, as an SVG document. */
import { clean, element, escapeXml, pngOf, rect, text } from '@lintel/sdk/drawing';
import { READABLE, themeOf, visible, type Theme } from './colors.js';
import { bandOf } from './containers.js';
import { bandExtent } from './conversations.js';
import { decoratorOf, line, wayOf } from './edges.js';
import { boxAround, boxOfPoints, centerOf, cornersOf, grown, type Bounds, type Point } from './geometry.js';
import { groundsOf } from './grounds.js';
import { placeLabels, type Label, type PlacedLabel, type Weight } from './label-places.js';
import { drawn } from './labels.js';
import { layOut } from './layout/index.js';
import { linked, safeHref, type ElementLink } from './links.js';
import { frame, legend, marksOf, signBox, signs, trail, type Mark } from './marks.js';
import { elementOf, type BpmnNode } from './moddle.js';
import { description, labelText } from './names.js';
import { Obstacles } from './obstacles.js';
import { penOf } from './pen.js';
import { LEAVES } from './scene-reader.js';
import { sceneOf, type Diagrams, type Edge, type NotDrawn, type Scene, type Shape } from './scene.js';
import { drawShape, isNamedOutside, surroundingsOf } from './shapes.js';
import { counted, textsIn, type Language } from '../words/index.js';

/** How a diagram is drawn. */
export interface DrawOptions {
  /**
   * The id of a diagram of the file, or its index from 0, or the id of a sub-process for its content; if absent, that
   * of the collaboration, or the first one that is not empty.
   */
  diagram?: string | number | undefined;
  theme?: 'light' | 'dark' | undefined;
  /** Of descriptions and the legend; labels are those of the file. Default: `en`. */
  language?: Language | undefined;
  /** Of the picture in px, from 16 to 16,384; its natural width if absent. */
  width?: number | undefined;
  /** Title of the document; the name of the diagram if absent. */
  title?: string | undefined;
  /** Links of elements, by their ids in the file. */
  links?: Readonly<Record<string, ElementLink>> | undefined;
  /** Differences to another version, by the ids of elements. */
  marks?: Readonly<Record<string, Mark | readonly Mark[]>> | undefined;
  /** The version before: its elements that are marked as removed are drawn too. */
  before?: BpmnNode | undefined;
}

/** A drawn diagram. */
export interface BpmnDrawing {
  svg: string;
  /** In px. */
  width: number;
  height: number;
  /** Shapes and edges of the file that the picture does not show. */
  notDrawn: NotDrawn[];
}

/** The largest side of a picture in px; the coordinates inside of it are not limited by it. */
const MAX_SIDE = 16_384;
const MARGIN = 14;

const own = <T>(record: Readonly<Record<string, T>> | undefined, id: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, id) ? record[id] : undefined;

/** An edge with its points between the outlines of its shapes. */
interface Line extends Edge {
  way: readonly Point[];
}

/** Draws the items of one diagram. */
class Canvas {
  readonly #theme: Theme;
  readonly #language: Language;
  readonly #groundAt: (point: Point) => string;
  readonly #obstacles = new Obstacles<Weight>();
  readonly #extents: Bounds[] = [];
  readonly #lines: Line[];
  readonly #counts = new Map<Mark, number>();

  constructor(
    private readonly definitions: BpmnNode,
    private readonly scene: Scene,
    private readonly options: DrawOptions,
  ) {
    this.#theme = themeOf(options.theme ?? 'light');
    this.#language = options.language ?? 'en';
    this.#groundAt = groundsOf(scene.shapes, this.#theme);
    this.#lines = scene.edges.map((edge) => ({ ...edge, way: wayOf(edge) }));
  }

  #marks(id: string): Mark[] {
    return marksOf(own(this.options.marks, id));
  }

  /** A group with the parts of an element, and what is said about it. */
  #group(item: Shape | Edge, kind: 'shape' | 'edge', body: string, behind: string): string {
    const link = own(this.options.links, item.id);
    return element(
      'g',
      {
        class: `bpmn-${kind}`,
        'data-element': item.isGhost ? undefined : clean(item.id),
        'data-removed': item.isGhost ? clean(item.id) : undefined,
        'data-type': item.type,
        opacity: item.isGhost ? 0.6 : undefined,
      },
      linked(link, description(item, this.#language), behind + body),
    );
  }

  #shape(shape: Shape, surroundings: ReturnType<typeof surroundingsOf>): string {
    const isHollow = shape.type === 'group' || shape.type === 'textAnnotation' || shape.type === 'unknown';
    const pen = penOf(shape.colors, this.#theme, this.#behind(shape), isHollow);
    const isContainer = shape.layer < LEAVES;
    const isBand = shape.type === 'participant' && elementOf(shape.di, 'choreographyActivityShape') !== undefined;
    this.#extents.push(grown(isBand ? bandExtent(shape) : shape.bounds, 3));
    if (!isHollow) this.#obstacles.add(isContainer ? bandOf(shape) : shape.bounds, 'shape');
    if (isContainer) this.#obstacles.addLine(cornersOf(shape.bounds), 'frame');
    const body = drawShape(shape, pen, surroundings);
    return this.#group(
      shape,
      'shape',
      body + this.#linkSign(shape),
      frame(shape.bounds, this.#marks(shape.id), this.#theme, isContainer || isHollow),
    );
  }

  /** The colour behind a shape: pools, lanes and sub-processes have that of what is around them. */
  #behind({ layer, bounds }: Shape): string {
    if (layer === 0) return this.#theme.background;
    return layer < LEAVES ? this.#theme.fill : this.#groundAt(centerOf(bounds));
  }

  /** The sign of a linked shape in its upper right corner, where it has space for one. */
  #linkSign({ id, bounds, layer, colors }: Shape): string {
    const link = own(this.options.links, id);
    if (!link || safeHref(link.href) === undefined || layer > LEAVES || bounds.width < 60) return '';
    const fill = visible(this.#theme.link, colors.fill ?? this.#theme.fill, READABLE);
    return text(bounds.x + bounds.width - 5, bounds.y + 13, '↗', { size: SIGN_SIZE, fill, anchor: 'end' });
  }

  #edge(edge: Line): string {
    const ground = this.#groundAt(edge.way[0]!);
    const pen = penOf(edge.colors, this.#theme, ground, true);
    this.#extents.push(grown(boxOfPoints(edge.way), 7));
    this.#obstacles.addLine(edge.way, 'line');
    const decorator = decoratorOf(edge, edge.way);
    if (decorator) this.#obstacles.add(decorator, 'shape');
    return this.#group(edge, 'edge', line(edge, edge.way, pen), trail(edge.way, this.#marks(edge.id), this.#theme));
  }

  /** The signs of marked elements; each is something that labels avoid. */
  #signs(): string {
    const parts: string[] = [];
    for (const item of [...this.scene.shapes, ...this.#lines]) {
      const marks = this.#marks(item.id);
      if (marks.length === 0) continue;
      for (const mark of marks) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1);
      const box = signBox(marks, 'way' in item ? item.way : item.bounds);
      this.#extents.push(grown(box, 1));
      this.#obstacles.add(box, 'label');
      parts.push(signs(marks, box, this.#theme));
    }
    return parts.join('');
  }

  #labels(): string {
    const labels: Label[] = [];
    const add = (item: Shape | Edge, owner: Label['owner'], isAbove: boolean): void => {
      const content = labelText(item);
      if (clean(content) !== '')
        labels.push({ id: item.id, text: content, stated: item.label, owner, isAbove, fill: item.colors.label });
    };
    for (const shape of this.scene.shapes) if (isNamedOutside(shape)) add(shape, shape.bounds, shape.type === 'group');
    for (const edge of this.#lines) if (edge.type !== 'unknown') add(edge, edge.way, false);
    return placeLabels(labels, this.#obstacles)
      .map((label) => this.#label(label))
      .join('');
  }

  #label({ id, box, fitted, fill }: PlacedLabel): string {
    this.#extents.push(grown(box, 2));
    const middle = centerOf(box);
    const ground = this.#groundAt(middle);
    const ink = visible(fill ?? this.#theme.ink, ground, READABLE);
    // Letters over a line stay readable with an outline in the colour behind them.
    const outline = { stroke: ground, 'stroke-width': 2.5, 'stroke-linejoin': 'round', 'paint-order': 'stroke' };
    return element('g', { 'data-label': clean(id), ...outline }, drawn(fitted, middle.x, box.y, ink));
  }

  /** The whole document. */
  draw(): BpmnDrawing {
    const { shapes, notDrawn } = this.scene;
    const surroundings = surroundingsOf(this.definitions, shapes);
    const below = shapes.filter(({ layer }) => layer <= LEAVES).map((shape) => this.#shape(shape, surroundings));
    const edges = this.#lines.map((edge) => this.#edge(edge));
    // Events on a border and messages are above the lines that pass or meet them.
    const above = shapes.filter(({ layer }) => layer > LEAVES).map((shape) => this.#shape(shape, surroundings));
    const signsDrawn = this.#signs();
    const labels = this.#labels();
    const content = grown(boxAround(this.#extents) ?? { x: 0, y: 0, width: 120, height: 40 }, MARGIN - 3);
    return this.#document(content, [...below, ...edges, ...above, labels, signsDrawn], notDrawn);
  }

  #document(content: Bounds, parts: readonly string[], notDrawn: NotDrawn[]): BpmnDrawing {
    const key = legend(
      this.#counts,
      content.x + MARGIN,
      content.y + content.height,
      content.width - 2 * MARGIN,
      this.#theme,
      this.#language,
    );
    const whole = {
      ...content,
      width: Math.max(content.width, key.svg === '' ? 0 : 150),
      height: content.height + key.height + (key.svg === '' ? 0 : 6),
    };
    const [x, y] = [Math.floor(whole.x), Math.floor(whole.y)];
    const [wide, high] = [Math.ceil(whole.width + whole.x - x), Math.ceil(whole.height + whole.y - y)];
    const wanted = Math.min(Math.max(this.options.width ?? wide, 16), MAX_SIDE);
    const scale = Math.min(wanted / wide, MAX_SIDE / high);
    const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))];
    const name = clean(this.options.title ?? this.scene.name) || textsIn(this.#language).diagram;
    const svg = element(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width,
        height,
        viewBox: `${x} ${y} ${wide} ${high}`,
        role: this.options.links ? undefined : 'img',
        'font-family': 'DejaVu Sans, Verdana, sans-serif',
        'aria-label': name,
      },
      element('title', {}, escapeXml(name)),
      element('desc', {}, escapeXml(this.#inWords())),
      rect(x, y, wide, high, { fill: this.#theme.background }),
      ...parts,
      key.svg,
    );
    return { svg, width, height, notDrawn };
  }

  /** The content of the picture for readers who do not see it. */
  #inWords(): string {
    const { shapes, edges } = this.scene;
    const names = shapes
      .filter(({ layer, type }) => layer >= LEAVES && type !== 'textAnnotation')
      .slice(0, 100)
      .map((shape) => description(shape, this.#language));
    const texts = textsIn(this.#language);
    const number = (items: readonly unknown[], noun: 'shapes' | 'connections'): string =>
      counted(items.length, texts[noun], this.#language);
    const content = texts.content(number(shapes, 'shapes'), number(edges, 'connections'));
    return clean(`${content} ${names.join('; ')}`, 4_000);
  }
}

const SIGN_SIZE = 10;

/** The removed elements of the version before, which are drawn among those of the new one. */
function addRemoved(scene: Scene, before: Diagrams, { diagram, marks }: DrawOptions): void {
  const old = sceneOf(before, diagram) ?? sceneOf(before);
  if (!old) return;
  const present = new Set([...scene.shapes, ...scene.edges].map(({ id }) => id));
  const isRemoved = ({ id }: Shape | Edge): boolean => !present.has(id) && marksOf(own(marks, id)).includes('removed');
  for (const shape of old.shapes) if (isRemoved(shape)) scene.shapes.push({ ...shape, isGhost: true });
  for (const edge of old.edges) if (isRemoved(edge)) scene.edges.push({ ...edge, isGhost: true });
  scene.shapes.sort((a, b) => a.layer - b.layer);
}

function drawDiagram(diagrams: Diagrams, options: DrawOptions, before: Diagrams | undefined): BpmnDrawing | undefined {
  const scene = sceneOf(diagrams, options.diagram);
  if (!scene) return undefined;
  if (before) addRemoved(scene, before, options);
  return new Canvas(diagrams.definitions, scene, options).draw();
}

/**
 * Draws one diagram of a file from its diagram interchange (BPMN 2.0, ISO/IEC 19510, chapter 12). Whatever the file contains,
 * the picture is bounded and a well-formed document; what it cannot show is listed.
 * @param definitions the root of the tree that bpmn-moddle reads
 * @returns undefined if the file has no such diagram; an empty picture if it has none and none is asked for: see
 *   `drawFile` for files without interchange
 */
export const drawBpmn = (definitions: BpmnNode, options: DrawOptions = {}): BpmnDrawing | undefined =>
  drawDiagram({ definitions }, options, options.before && { definitions: options.before });

/** As `drawBpmn`, with a diagram after those of the file for its processes without interchange, which are laid out. */
export async function drawFile(definitions: BpmnNode, options: DrawOptions = {}): Promise<BpmnDrawing | undefined> {
  const { before } = options;
  const diagrams = { definitions, laidOut: await layOut(definitions) };
  return drawDiagram(diagrams, options, before && { definitions: before, laidOut: await layOut(before) });
}

/**
 * A drawing as an image. It takes up to seconds for large ones: call it in a worker.
 * @param scale pixels of the image per px of the drawing
 * @returns a PNG file in memory of its own, which can be transferred
 */
export const pngOfDrawing = ({ svg, width }: BpmnDrawing, scale: 1 | 2 = 1): Uint8Array<ArrayBuffer> =>
  pngOf(svg, { width, scale });

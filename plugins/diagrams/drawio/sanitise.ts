/** A drawing without what could run, load or track: its cells and the attributes of its pages. */
import type { DrawioCell, DrawioFile, DrawioPage } from './model.js';
import { isHtml } from './model.js';
import { hasActiveHtml, sanitiseHtml, type ImagePolicy, type OnRemoved } from './sanitise-html.js';
import { sanitiseStyle, type StyleRemoval } from './sanitise-style.js';
import { imageKind, isActiveAddress, isAllowedLink } from './sanitise-url.js';
import { StencilCheck } from './stencil.js';
import type { XmlElement } from './xml.js';

/** Something that was left out of a drawing. */
export interface Removed {
  kind: StyleRemoval | Parameters<OnRemoved>[0] | 'event_handler' | 'attribute' | 'element';
  /** What it was, at most 100 characters. */
  what: string;
  /** Index of the page, counted from 0; undefined for the file itself. */
  page: number | undefined;
  /** Index of the cell in its page, counted from 0; undefined for what is in no cell. */
  at: number | undefined;
  cell_id: string | undefined;
}

/** Removals that are listed: a file of 10 MB could have millions. */
const MAX_LISTED = 1_000;

/** Event handlers of HTML (https://html.spec.whatwg.org/#event-handlers-on-elements-document-objects-and-window-objects). */
const HANDLER = new RegExp(
  `^on(${[
    'abort|activate|afterprint|animation\\w+|auxclick|before\\w+|begin|blur|bounce|cancel|canplay\\w*|change|click|close|command',
    'contextmenu|copy|cuechange|cut|dblclick|drag\\w*|drop|durationchange|emptied|end|ended|error|finish|focus\\w*|formdata',
    'fullscreen\\w+|gotpointercapture|hashchange|input|invalid|key(down|press|up)|languagechange|load\\w*|lostpointercapture',
    'message\\w*|mouse\\w+|mousewheel|offline|pagehide|pageshow|paste|pause|play|playing|pointer\\w+|popstate|progress',
    'propertychange|ratechange|readystatechange|repeat|reset|resize|scroll\\w*|search|securitypolicyviolation|seeked|seeking',
    'select\\w*|show|slotchange|stalled|start|storage|submit|suspend|timeupdate|toggle|touch\\w+|transition\\w+|unhandledrejection',
    'unload|volumechange|waiting|webkit\\w+|wheel',
  ].join('|')})$`,
  'i',
);

/** Attributes of the file and of pages that load something. */
const LOADING = /^(plugins|extfonts|stylesheet|css|libraries|libs|customfonts|defaultlibraries)$/i;

type Report = (kind: Removed['kind'], what: string) => void;

/** Whose attributes they are: those of the user may have any name. */
type Owner = 'file' | 'user';

/** Why an attribute that is not a label may not stay. */
function attributeFault(name: string, value: string, owner: Owner): Removed['kind'] | undefined {
  if (HANDLER.test(name)) return 'event_handler';
  if (owner === 'file' && LOADING.test(name)) return 'attribute';
  if (/^(link|href|xlink:href)$/i.test(name)) return isAllowedLink(value) ? undefined : 'link';
  return isActiveAddress(value) ? 'link' : undefined;
}

/** Removes attributes in place, and sanitises those with markup: placeholders and tooltips are shown as HTML. */
function sanitiseAttributes(
  attributes: Map<string, string>,
  policy: ImagePolicy,
  report: Report,
  owner: Owner = 'user',
): void {
  for (const [name, value] of attributes) {
    const fault = attributeFault(name, value, owner);
    if (fault) {
      report(fault, `${name}=${value}`);
      attributes.delete(name);
    } else if (hasActiveHtml(value, policy)) attributes.set(name, sanitiseHtml(value, policy, report));
  }
}

const REFUSED =
  /(^|:)(script|style|iframe|object|embed|svg|image|foreignobject|link|meta|handler|animate\w*|set|html|body|base|form)$/i;
/** An element of old files, which has a value of a cell. */
const VALUE = 'Object';

/** Sanitises elements in place. @returns those that may stay */
function sanitiseElements(elements: readonly XmlElement[], policy: ImagePolicy, report: Report): XmlElement[] {
  return elements.filter((element) => {
    if (REFUSED.test(element.name) && element.name !== VALUE) {
      report('element', element.name);
      return false;
    }
    sanitiseAttributes(element.attributes, policy, report);
    if (hasActiveHtml(element.text, policy)) element.text = sanitiseHtml(element.text, policy, report);
    element.children = sanitiseElements(element.children, policy, report);
    return true;
  });
}

/** Sanitises a cell in place. */
function sanitiseCell(cell: DrawioCell, policy: ImagePolicy, stencils: StencilCheck, report: Report): void {
  cell.style = sanitiseStyle(cell.style, policy, stencils, report);
  if (cell.label !== undefined && (isHtml(cell) || hasActiveHtml(cell.label, policy)))
    cell.label = sanitiseHtml(cell.label, policy, report);
  sanitiseAttributes(cell.attributes, policy, report);
  if (cell.wrapper) {
    sanitiseAttributes(cell.wrapper.attributes, policy, report);
    cell.wrapper.children = sanitiseElements(cell.wrapper.children, policy, report);
  }
  cell.children = sanitiseElements(cell.children, policy, report);
  if (cell.geometry) sanitiseElements([cell.geometry], policy, report);
}

/** The image behind a page, as JSON: only one that is embedded may stay. */
function sanitiseBackground(model: Map<string, string>, policy: ImagePolicy, report: Report): void {
  const value = model.get('backgroundImage');
  if (value === undefined) return;
  const src = /"src"\s*:\s*"([^"\\]*)"/.exec(value)?.[1];
  const kind = src === undefined ? 'refused' : imageKind(src);
  const isPage = src !== undefined && /^data:page\/id,[\w.~-]+$/.test(src);
  if (isPage || kind === 'embedded' || kind === 'library' || (kind === 'foreign' && policy.keepForeignImages)) return;
  report('image', `backgroundImage=${value}`);
  model.delete('backgroundImage');
}

function sanitisePage(
  page: DrawioPage,
  at: number,
  policy: ImagePolicy,
  stencils: StencilCheck,
  list: (removed: Removed) => void,
): void {
  const reportFor =
    (cell?: number): Report =>
    (kind, what) => {
      const cell_id = cell === undefined ? undefined : page.cells[cell]!.id;
      list({ kind, what: what.slice(0, 100).toWellFormed(), page: at, at: cell, cell_id });
    };
  sanitiseBackground(page.model, policy, reportFor());
  sanitiseAttributes(page.attributes, policy, reportFor(), 'file');
  sanitiseAttributes(page.model, policy, reportFor(), 'file');
  for (const [cell, one] of page.cells.entries()) sanitiseCell(one, policy, stencils, reportFor(cell));
}

/**
 * Sanitises a file in place. Doing it again changes nothing.
 * @returns what was left out, at most the first 1,000
 */
export function sanitise(file: DrawioFile, policy: ImagePolicy): Removed[] {
  const all: Removed[] = [];
  const list = (removed: Removed): void => {
    if (all.length < MAX_LISTED) all.push(removed);
  };
  const report: Report = (kind, what) =>
    list({ kind, what: what.slice(0, 100).toWellFormed(), page: undefined, at: undefined, cell_id: undefined });
  sanitiseAttributes(file.attributes, policy, report, 'file');
  const stencils = new StencilCheck();
  for (const [at, page] of file.pages.entries()) sanitisePage(page, at, policy, stencils, list);
  return all;
}

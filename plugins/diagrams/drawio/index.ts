/** draw.io files: read, sanitised and written without loss. */
export * from './model.js';
export { DEFAULT_LIMITS, readDrawio, type ReadFault, type ReadLimits, type ReadResult } from './read.js';
export type { Removed } from './sanitise.js';
export { sanitiseHtml } from './sanitise-html.js';
export { escapeHtml, plainText } from './label-text.js';
export { formatStyle, parseStyle, resolvedStyle, setStyle, styleValue, type Style, type StyleEntry } from './style.js';
export { writeDrawio } from './write.js';
export { xmlElement, type XmlElement } from './xml.js';
export { decodeEntities } from './entities.js';
export { tokensOf, type HtmlToken } from './html.js';
export { cssDeclarations } from './sanitise-css.js';
export { readStencil } from './stencil.js';

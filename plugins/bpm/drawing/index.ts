/** Drawings of BPMN files. */
export { drawBpmn, drawFile, pngOfDrawing, type BpmnDrawing, type DrawOptions } from './draw.js';
export type { ElementLink } from './links.js';
export { layOut } from './layout/index.js';
export type { Mark } from './marks.js';
export type { BpmnNode } from './moddle.js';
export type { NotDrawn } from './scene.js';

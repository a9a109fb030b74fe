/** The marks of charts (bars, lines, grid lines), drawn by echarts without texts: these are placed by the callers. */
import { type Attributes, element, rounded } from '@lintel/sdk/drawing';
import { BarChart, LineChart, TreemapChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { SaxesParser } from 'saxes';

use([BarChart, LineChart, TreemapChart, GridComponent, SVGRenderer]);

/** Lays out a chart. @returns its SVG document */
export function render(option: EChartsCoreOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ animation: false, ...option });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);
/** Attributes that are kept. The others are identifiers, classes and metadata, which differ from run to run. */
const KEPT = new Set(
  'd x y x1 y1 x2 y2 cx cy r rx ry width height points transform fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin'.split(
    ' ',
  ),
);
/** Attributes that hold several numbers. */
const LISTS = new Set(['d', 'points', 'transform']);

/** Decorates a mark, such as with a link. @param series index of its series @param index of its value */
export type Decorate = (svg: string, series: number, index: number) => string;

/** The shapes of a chart as elements of another picture. */
export function marksOf(option: EChartsCoreOption, width: number, height: number, decorate: Decorate): string {
  const drawn: string[] = [];
  let definitions = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'defs') definitions++;
    if (definitions > 0 || !SHAPES.has(name)) return;
    const kept: Attributes = {};
    for (const [key, value] of Object.entries(attributes as Record<string, string>))
      if (KEPT.has(key))
        kept[key] = LISTS.has(key) ? value.replace(/-?\d*\.?\d+(?:e-?\d+)?/g, (one) => rounded(Number(one))) : value;
    // The background of the chart is a rectangle of its size without colour.
    if (kept.fill === 'none' && (kept.stroke ?? 'none') === 'none') return;
    const svg = element(name, kept);
    const { ecmeta_series_index: series, ecmeta_data_index: index } = attributes as Record<string, string>;
    drawn.push(series === undefined || index === undefined ? svg : decorate(svg, Number(series), Number(index)));
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'defs') definitions--;
  });
  parser.write(render(option, width, height)).close();
  return drawn.join('');
}

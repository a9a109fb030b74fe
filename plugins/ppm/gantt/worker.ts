/** The worker process: draws one chart after another. */
import { answerOrders } from '@lintel/sdk/drawing';
import { drawGantt } from './draw.js';
import type { Gantt, GanttOptions } from './chart.js';

/** A chart to be drawn. */
export interface Order {
  gantt: Gantt;
  options: GanttOptions;
}

answerOrders<Order, string>(({ gantt, options }) => drawGantt(gantt, options));

/** The symbols of BPMN 2.0 (ISO/IEC 19510, chapters 7 and 10) as paths in a square of 24. */
import { rounded } from '@lintel/sdk/drawing';
import type { EventSymbol } from './event-definitions.js';
import type { Part } from './pen.js';

/** A polygon around the middle of the square. @param radii of the corners, repeated @param from angle of the first, in degrees */
function polygon(corners: number, radii: readonly number[], from = -90): string {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = ((from + (i * 360) / corners) * Math.PI) / 180;
    const radius = radii[i % radii.length]!;
    return `${rounded(12 + radius * Math.cos(angle))} ${rounded(12 + radius * Math.sin(angle))}`;
  });
  return `M${points.join('L')}Z`;
}

/** A circle around the middle of the square, or around another point. */
const circle = (radius: number, x = 12, y = 12): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

const ENVELOPE = 'M2.5 5.5h19v13h-19Z';
const FLAP = 'M2.5 5.5L12 13L21.5 5.5';
const PLUS = 'M9.8 3h4.4v6.8h6.8v4.4h-6.8v6.8h-4.4v-6.8h-6.8v-4.4h6.8Z';
const CROSS = 'M6.2 3.2L12 9l5.8-5.8l3 3L15 12l5.8 5.8l-3 3L12 15l-5.8 5.8l-3-3L9 12L3.2 6.2Z';

const hours = Array.from({ length: 12 }, (_, i) => {
  const [x, y] = [Math.sin((i * Math.PI) / 6), Math.cos((i * Math.PI) / 6)];
  return `M${rounded(12 + 8.2 * x)} ${rounded(12 + 8.2 * y)}L${rounded(12 + 10 * x)} ${rounded(12 + 10 * y)}`;
}).join('');

/** Outlines of events that are filled where the event is raised. */
const OUTLINES: Record<Exclude<EventSymbol, 'message' | 'timer' | 'conditional'>, string> = {
  error: 'M3 21L8.2 4.2L13.6 12.6L20.4 2.6L16.2 19.4L10.4 11.2Z',
  escalation: 'M12 2.5L19.5 21L12 13.5L4.5 21Z',
  cancel: CROSS,
  compensate: 'M11 4.5V19.5L1.5 12ZM20.5 4.5V19.5L11 12Z',
  link: 'M2 8.5h11.5V4L22 12l-8.5 8V15.5H2Z',
  signal: 'M12 2.5L22 20H2Z',
  terminate: circle(9.6),
  multiple: polygon(5, [11]),
  parallelMultiple: PLUS,
};

/** The symbol of an event. @param isThrown whether the event is raised instead of being waited for */
export function eventParts(name: EventSymbol, isThrown: boolean): readonly Part[] {
  switch (name) {
    case 'message':
      return isThrown
        ? [
            [ENVELOPE, 'area'],
            [FLAP, 'cut'],
          ]
        : [
            [ENVELOPE, 'paper'],
            [FLAP, 'line'],
          ];
    case 'timer':
      return [
        [circle(10.2), 'paper'],
        [hours, 'line', 0.8],
        ['M13.8 5.5L12 12H16.5', 'line'],
      ];
    case 'conditional':
      return [
        ['M5 2.5h14v19H5Z', 'paper'],
        ['M7.5 6.5h9M7.5 10.2h9M7.5 13.9h9M7.5 17.6h9', 'line', 0.9],
      ];
    default:
      return [[OUTLINES[name], isThrown || name === 'terminate' ? 'area' : 'paper']];
  }
}

/** A wheel with eight teeth. */
const GEAR = polygon(32, [11.2, 11.2, 8.4, 8.4], -90 - 360 / 64);

/** The symbols of the kinds of tasks, by type. */
export const TASKS: Readonly<Record<string, readonly Part[]>> = {
  userTask: [
    ['M2.5 22v-3.5c0-3 3-4.8 6-5.3h7c3 .5 6 2.3 6 5.3V22Z', 'paper'],
    ['M7 22v-3.5M17 22v-3.5', 'line'],
    [circle(5, 12, 7.5), 'paper'],
    ['M7.1 6.6C9 7.9 10.7 6 12.5 6.3S15.5 7.6 16.9 6.4C16.4 4 14.5 2.5 12 2.5S7.5 4.2 7.1 6.6Z', 'area', 0.6],
  ],
  manualTask: [
    [
      'M2 12.5L8.2 6.2C9.2 5.2 10.8 6.6 9.9 7.8L8.8 9.2H20.5A1.6 1.6 0 0 1 20.5 12.4H14.5H21.4A1.6 1.6 0 0 1 21.4 15.5H14.5H20.4A1.5 1.5 0 0 1 20.4 18.5H14.5H18.6A1.4 1.4 0 0 1 18.6 21.3H7.5C4 21.3 2 19.5 2 16.5Z',
      'paper',
    ],
  ],
  serviceTask: [
    [GEAR, 'paper'],
    [circle(3.4), 'paper'],
  ],
  scriptTask: [
    ['M8 2.5H21C16 7 17.5 9.5 18 12C18.6 15 18 18 13.5 21.5H2.5C7.5 18 8 15 7.2 12C6.5 9.5 4 7 8 2.5Z', 'paper'],
    ['M8.5 6.5h6M9 10.2h6M9.8 13.9h6M8.6 17.6h6', 'line', 0.9],
  ],
  businessRuleTask: [
    ['M2 4h20v16H2Z', 'paper'],
    ['M2 4h20v4.5H2Z', 'area', 0.8],
    ['M2 14.3h20M8.5 8.5V20', 'line'],
  ],
  sendTask: [
    [ENVELOPE, 'area'],
    [FLAP, 'cut'],
  ],
  receiveTask: [
    [ENVELOPE, 'paper'],
    [FLAP, 'line'],
  ],
};

/** The symbol of a task that starts its process when it receives its message. */
export const INSTANTIATING_RECEIVE: readonly Part[] = [
  [circle(11), 'paper'],
  ['M5.5 8h13v8.5h-13Z', 'paper'],
  ['M5.5 8L12 13L18.5 8', 'line'],
];

/** The symbols in gateways. */
export const GATEWAYS = {
  exclusive: [[CROSS, 'area']],
  inclusive: [[circle(9.5), 'line', 2]],
  parallel: [['M9.9 1h4.2v8.9h8.9v4.2h-8.9v8.9h-4.2v-8.9h-8.9v-4.2h8.9Z', 'area']],
  complex: [['M12 1v22M1 12h22M4.2 4.2l15.6 15.6M19.8 4.2L4.2 19.8', 'line', 2.6]],
  event: [
    [circle(11.5), 'line', 0.9],
    [circle(9.5), 'line', 0.9],
    [polygon(5, [6.4]), 'line', 0.9],
  ],
  instantiating: [
    [circle(11.5), 'line', 0.9],
    [polygon(5, [7.5]), 'line', 0.9],
  ],
  parallelInstantiating: [
    [circle(11.5), 'line', 0.9],
    ['M10.4 5h3.2v5.4h5.4v3.2h-5.4v5.4h-3.2v-5.4h-5.4v-3.2h5.4Z', 'line', 0.9],
  ],
} satisfies Record<string, readonly Part[]>;

/** The markers at the lower edge of activities and pools. */
export const MARKERS = {
  loop: [
    ['M8 20.3A9 9 0 1 1 13.5 20.8', 'line'],
    ['M2.8 21.5L8.3 20.5L7.3 15', 'line'],
  ],
  parallel: [['M5 3v18M12 3v18M19 3v18', 'line', 1.6]],
  sequential: [['M3 5h18M3 12h18M3 19h18', 'line', 1.6]],
  compensation: [['M11.5 4.5V19.5L2 12ZM21.5 4.5V19.5L12 12Z', 'paper']],
  adHoc: [
    ['M1.5 15.5C4 8 8.5 8 12 11.5S19.5 15 22.5 8.5V12.5C20 17.5 15.5 17.8 12 14.5S4.5 10.5 1.5 15.5Z', 'area', 0.5],
  ],
  collapsed: [
    ['M1.5 1.5h21v21h-21Z', 'paper'],
    ['M12 5.5v13M5.5 12h13', 'line'],
  ],
} satisfies Record<string, readonly Part[]>;

export type Marker = keyof typeof MARKERS;

/** The arrow of data that enters a process (line) or leaves it (area). */
export const DATA_ARROW = 'M2 8.5h11.5V4L22 12l-8.5 8V15.5H2Z';

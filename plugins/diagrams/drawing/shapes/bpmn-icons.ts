/** Symbols of BPMN as paths of the unit 100 × 100; see `drawPath`. */

/** Symbols of events by the names of draw.io's style `symbol`. */
export const EVENT_ICONS: Record<string, { path: string; isFilledByStroke?: boolean }> = {
  message: { path: 'R 20 30 60 40|M 20 30 L 50 52 L 80 30' },
  timer: {
    path: 'E 18 18 64 64|M 50 18 L 50 26 M 50 74 L 50 82 M 18 50 L 26 50 M 74 50 L 82 50 M 50 50 L 54 30 M 50 50 L 65 50',
  },
  escalation: { path: 'M 50 18 L 72 78 L 50 56 L 28 78 Z' },
  conditional: { path: 'R 28 20 44 60|M 34 30 L 66 30 M 34 43 L 66 43 M 34 57 L 66 57 M 34 70 L 66 70' },
  link: { path: 'M 20 40 L 58 40 L 58 26 L 84 50 L 58 74 L 58 60 L 20 60 Z' },
  error: { path: 'M 22 78 L 40 24 L 60 54 L 78 20 L 62 76 L 42 48 Z' },
  cancel: {
    path: 'M 20 30 L 30 20 L 50 40 L 70 20 L 80 30 L 60 50 L 80 70 L 70 80 L 50 60 L 30 80 L 20 70 L 40 50 Z',
  },
  compensation: { path: 'M 18 50 L 46 30 L 46 70 Z M 50 50 L 78 30 L 78 70 Z' },
  signal: { path: 'M 50 20 L 80 70 L 20 70 Z' },
  multiple: { path: 'M 50 18 L 82 42 L 70 78 L 30 78 L 18 42 Z' },
  parallelmultiple: {
    path: 'M 42 18 L 58 18 L 58 42 L 82 42 L 82 58 L 58 58 L 58 82 L 42 82 L 42 58 L 18 58 L 18 42 L 42 42 Z',
  },
  terminate: { path: 'E 20 20 60 60', isFilledByStroke: true },
  star: { path: 'M 50 10 L 62 38 L 92 38 L 68 57 L 77 88 L 50 70 L 23 88 L 32 57 L 8 38 L 38 38 Z' },
};

/** Symbols of gateways. */
export const GATEWAY_ICONS: Record<string, { path: string; isFilledByStroke?: boolean }> = {
  exclusive: {
    path: 'M 32 28 L 40 28 L 50 43 L 60 28 L 68 28 L 54 50 L 68 72 L 60 72 L 50 57 L 40 72 L 32 72 L 46 50 Z',
    isFilledByStroke: true,
  },
  parallel: {
    path: 'M 46 25 L 54 25 L 54 46 L 75 46 L 75 54 L 54 54 L 54 75 L 46 75 L 46 54 L 25 54 L 25 46 L 46 46 Z',
    isFilledByStroke: true,
  },
  inclusive: { path: '|E 28 28 44 44' },
  complex: {
    path: '|M 50 24 L 50 76 M 24 50 L 76 50 M 32 32 L 68 68 M 68 32 L 32 68',
  },
};

/** Markers in the corner of tasks by the names of draw.io's style `taskMarker`. */
export const TASK_ICONS: Record<string, { path: string; isFilledByStroke?: boolean }> = {
  receive: { path: 'R 0 15 100 70|M 0 15 L 50 55 L 100 15' },
  send: { path: 'M 0 15 L 50 50 L 100 15 Z M 0 22 L 50 58 L 100 22 L 100 85 L 0 85 Z', isFilledByStroke: true },
  user: {
    path: 'M 5 100 L 5 75 C 5 60 25 55 35 52 C 20 40 25 5 50 5 C 75 5 80 40 65 52 C 75 55 95 60 95 75 L 95 100 Z|M 35 52 C 40 65 60 65 65 52 M 27 25 C 40 15 50 35 73 25 M 25 80 L 25 100 M 75 80 L 75 100',
  },
  manual: {
    path: 'M 0 40 C 0 20 15 10 25 10 L 55 10 C 65 12 60 26 50 26 L 45 26 L 92 26 C 102 27 102 42 92 42 L 97 42 C 104 46 102 58 94 58 L 90 58 C 98 62 96 74 86 74 L 80 74 C 88 78 84 90 76 90 L 25 90 C 10 90 0 75 0 60 Z|M 50 42 L 92 42 M 50 58 L 92 58 M 50 74 L 86 74',
  },
  service: {
    path: 'M 42 0 L 58 0 L 60 14 L 71 19 L 83 10 L 93 20 L 84 32 L 88 42 L 100 44 L 100 58 L 88 60 L 83 71 L 92 83 L 81 93 L 70 85 L 59 89 L 57 100 L 43 100 L 41 89 L 30 84 L 18 92 L 8 82 L 17 70 L 13 60 L 0 57 L 0 43 L 13 41 L 18 30 L 9 18 L 19 8 L 31 17 L 41 12 Z|E 33 33 34 34',
  },
  script: {
    path: 'M 30 0 L 95 0 C 70 20 70 35 85 50 C 100 65 100 80 75 100 L 8 100 C 35 80 30 65 15 50 C 0 35 5 15 30 0 Z|M 25 22 L 65 22 M 22 40 L 62 40 M 32 60 L 75 60 M 35 80 L 78 80',
  },
  businessrule: { path: 'R 0 10 100 80|M 0 30 L 100 30 M 0 60 L 100 60 M 30 30 L 30 90' },
};

/** Markers at the lower edge of activities, by the style that turns them on. */
export const ACTIVITY_MARKERS: [style: string, path: string, isFilledByStroke: boolean][] = [
  ['isLoopStandard', '|M 38 95 C 0 80 5 10 50 8 C 100 10 105 80 62 95 M 38 95 L 10 95 M 38 95 L 38 65', false],
  ['isLoopMultiParallel', '|M 20 5 L 20 95 M 50 5 L 50 95 M 80 5 L 80 95', false],
  ['isLoopMultiSeq', '|M 5 20 L 95 20 M 5 50 L 95 50 M 5 80 L 95 80', false],
  ['isLoopComp', 'M 0 50 L 48 15 L 48 85 Z M 52 50 L 100 15 L 100 85 Z', false],
  ['isLoopSub', '|R 0 0 100 100 M 50 20 L 50 80 M 20 50 L 80 50', false],
  [
    'isAdHoc',
    'M 0 60 C 20 15 40 30 55 45 C 70 60 85 55 100 30 L 100 50 C 85 85 65 75 50 62 C 35 50 20 50 0 80 Z',
    true,
  ],
];

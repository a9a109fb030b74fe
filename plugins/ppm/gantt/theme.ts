/** The colours of the chart; task and critical can be told apart with colour blindness (after Okabe and Ito). */
export interface Theme {
  background: string;
  ink: string;
  soft: string;
  line: string;
  faintLine: string;
  faint: string;
  /** Days that are not worked. */
  rest: string;
  task: string;
  taskTint: string;
  critical: string;
  criticalTint: string;
  baseline: string;
  link: string;
  today: string;
}

const LIGHT: Theme = {
  background: '#ffffff',
  ink: '#16202a',
  soft: '#4a5966',
  line: '#b9c4ce',
  faintLine: '#e1e7ec',
  faint: '#f6f8fa',
  rest: '#eaeef2',
  task: '#0072b2',
  taskTint: '#a9d1ea',
  critical: '#c44500',
  criticalTint: '#f7c9ae',
  baseline: '#8b98a5',
  link: '#5c6b78',
  today: '#7a2a9a',
};

const DARK: Theme = {
  background: '#12181f',
  ink: '#eef2f5',
  soft: '#aab8c4',
  line: '#4a5866',
  faintLine: '#27313a',
  faint: '#171f27',
  rest: '#1f2830',
  task: '#4aa3df',
  taskTint: '#1f4b6b',
  critical: '#f58b4c',
  criticalTint: '#6b3418',
  baseline: '#7d8a96',
  link: '#9aa9b6',
  today: '#d59cf0',
};

export const themeOf = (name: GanttThemeName): Theme => (name === 'dark' ? DARK : LIGHT);
export type GanttThemeName = 'light' | 'dark';

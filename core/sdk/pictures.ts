/**
 * What a picture shows, without its drawing: the reports module draws every report in the same way as SVG and PNG, with
 * title, axes and legend, in the colours of a theme. Texts are plain text in the language of the request.
 */

/** A colour as `#rrggbb`; without one the palette of the theme is used, which can be told apart with colour blindness. */
export type PictureColor = string;

/** A label, with the address of what it stands for as a path below the public address, such as `/api/v1/cards/…`. */
export interface PictureLabel {
  label: string;
  href?: string | undefined;
}

/** A label with an icon. */
export interface PictureSign extends PictureLabel {
  /**
   * The name of a Material Symbol, such as `apps` or `rocket_launch`: the icon of a card type. It is drawn beside the label
   * where there is room. Any other name is harmless: nothing is drawn for it.
   */
  icon?: string | undefined;
}

/** An entry of a legend. */
export interface PictureLegend {
  label: string;
  color: PictureColor;
  /** As in `PictureSign`; drawn inside the box of the colour. */
  icon?: string | undefined;
}

/** Bars of one or several series per category; series are stacked. */
export interface BarsPicture {
  kind: 'bars';
  categories: readonly PictureSign[];
  series: readonly {
    label: string;
    color?: PictureColor | undefined;
    /** As in `PictureSign`; drawn in the legend, which pictures with several series have. */
    icon?: string | undefined;
    /** One value per category; null for none. */
    values: readonly (number | null)[];
    /** Colours of single bars, by category. */
    colors?: readonly (PictureColor | undefined)[] | undefined;
    /** Addresses of single bars, by category. */
    hrefs?: readonly (string | undefined)[] | undefined;
  }[];
  /** The unit of the values, such as `cards` or `EUR`, shown at the axis. */
  unit: string;
}

/** Values over time. */
export interface LinesPicture {
  kind: 'lines';
  /** Dates, YYYY-MM-DD, ascending. */
  dates: readonly string[];
  series: readonly { label: string; color?: PictureColor | undefined; values: readonly (number | null)[] }[];
  unit: string;
}

/** A header of a grid. `level` counts the levels of a hierarchy from 0, for indentation. */
export interface GridHeader extends PictureLabel {
  level?: number | undefined;
  /** A number shown at the end of the row or column, such as its sum. */
  total?: number | undefined;
}

/** A table of rows and columns with values in its cells: a matrix, a portfolio or a heat map. */
export interface GridPicture {
  kind: 'grid';
  rowTitle: string;
  columnTitle: string;
  rows: readonly GridHeader[];
  columns: readonly GridHeader[];
  cells: readonly {
    row: number;
    column: number;
    /** Texts below each other, the first the largest. */
    texts: readonly string[];
    /** Determines the intensity of the colour, where the cell has none. */
    value?: number | undefined;
    color?: PictureColor | undefined;
    href?: string | undefined;
  }[];
  /** What `value` counts, shown at the scale, such as `Applications`. */
  unit?: string | undefined;
  legend?: readonly PictureLegend[] | undefined;
}

/** Spans on a time axis, one row per item, in groups. */
export interface TimelinePicture {
  kind: 'timeline';
  /** First and last day of the axis, YYYY-MM-DD. */
  from: string;
  to: string;
  /** A line with its date, such as the day of the report. */
  marker?: string | undefined;
  groups: readonly {
    /** Empty for the only group. */
    label: string;
    items: readonly (PictureLabel & {
      spans: readonly {
        from: string;
        to: string;
        label: string;
        color: PictureColor;
        /** A point in time such as a milestone, at the first day: a mark with its label beside it, where there is room. */
        isPoint?: boolean | undefined;
      }[];
    })[];
  }[];
  legend: readonly PictureLegend[];
}

/** A box with boxes inside. The icon is drawn in the heading of a container only. */
export interface PictureBox extends PictureSign {
  color?: PictureColor | undefined;
  /** A short second text, such as a number of cards. */
  note?: string | undefined;
  /** `container` is drawn as a frame with a heading, also without boxes inside; `leaf` as a filled box. */
  shape: 'container' | 'leaf';
  children?: readonly PictureBox[] | undefined;
}

/** Boxes nested in a hierarchy, such as a capability map. */
export interface NestedPicture {
  kind: 'nested';
  boxes: readonly PictureBox[];
  legend?: readonly PictureLegend[] | undefined;
}

/** A part of a tree map. */
export interface TreeMapNode extends PictureSign {
  /** Determines the area; at least 0. */
  value: number;
  /** The value as it is shown, such as `1.2 m EUR`. */
  text: string;
  color?: PictureColor | undefined;
  children?: readonly TreeMapNode[] | undefined;
}

/** Areas by value, nested by hierarchy. */
export interface TreeMapPicture {
  kind: 'treemap';
  nodes: readonly TreeMapNode[];
  unit: string;
  legend?: readonly PictureLegend[] | undefined;
}

/** Nodes and directed edges, laid out in layers. At most 500 nodes. */
export interface GraphPicture {
  kind: 'graph';
  nodes: readonly (PictureSign & {
    id: string;
    /** A second, smaller text, such as the type. */
    note?: string | undefined;
    color: PictureColor;
    /** Drawn with emphasis: the node the graph is about. */
    isCentre?: boolean | undefined;
  })[];
  edges: readonly { from: string; to: string; label?: string | undefined }[];
  legend: readonly PictureLegend[];
}

/** A few figures in large type. */
export interface FiguresPicture {
  kind: 'figures';
  figures: readonly (PictureLabel & { value: string; note?: string | undefined })[];
}

/** A picture without panels. */
export type SinglePicture =
  | BarsPicture
  | LinesPicture
  | GridPicture
  | TimelinePicture
  | NestedPicture
  | TreeMapPicture
  | GraphPicture
  | FiguresPicture;

/** Several pictures with a heading each, one below another or side by side where there is room. */
export interface PanelsPicture {
  kind: 'panels';
  panels: readonly { title: string; picture: SinglePicture; note?: string | undefined; isWide?: boolean | undefined }[];
}

/** A picture with its texts. */
export interface Picture {
  title: string;
  /** One line below the title, such as the filters and the number of cards. */
  subtitle?: string | undefined;
  /** The content in words, for readers who do not see the picture. */
  description: string;
  /** Lines below the picture, such as what was left out. */
  notes?: readonly string[] | undefined;
  content: SinglePicture | PanelsPicture;
}

/** The styles of the document and the numbering of its headings and lists. */
import { NAMESPACES, XML_DECLARATION } from './xml.js';

/** Fonts that Windows and macOS have, and of whose widths Linux has substitutes. */
const FONT = 'Arial';
const CODE_FONT = 'Courier New';
const ACCENT = '1F3864';
const GREY = '595959';
const fonts = (name: string): string =>
  `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}" w:cs="${name}"/>`;
const size = (halfPoints: number): string => `<w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`;
const color = (hex: string): string => `<w:color w:val="${hex}"/>`;

interface Style {
  id: string;
  name: string;
  basedOn?: string;
  next?: string;
  /** Content of `w:pPr` and `w:rPr`. */
  paragraph?: string;
  text?: string;
  isCustom?: boolean;
}

const heading = (level: number, halfPoints: number, spacing: string, indent: number): Style => ({
  id: `Heading${level}`,
  name: `heading ${level}`,
  basedOn: 'Normal',
  next: 'Normal',
  paragraph: [
    '<w:keepNext/><w:keepLines/>',
    `<w:numPr><w:ilvl w:val="${level - 1}"/><w:numId w:val="1"/></w:numPr>`,
    spacing,
    `<w:ind w:left="${indent}" w:hanging="${indent}"/>`,
    `<w:outlineLvl w:val="${level - 1}"/>`,
  ].join(''),
  text: `<w:b/><w:bCs/>${color(ACCENT)}${size(halfPoints)}`,
});

const contentsEntry = (level: number): Style => ({
  id: `TOC${level}`,
  name: `toc ${level}`,
  basedOn: 'Normal',
  next: 'Normal',
  paragraph: [
    `<w:tabs><w:tab w:val="left" w:pos="${[567, 1304, 2155][level - 1]}"/></w:tabs>`,
    `<w:spacing w:before="${level === 1 ? 80 : 0}" w:after="20" w:line="252" w:lineRule="auto"/>`,
    `<w:ind w:left="${[567, 1304, 2155][level - 1]}" w:right="567" w:hanging="${[567, 737, 851][level - 1]}"/>`,
  ].join(''),
  ...(level === 1 && { text: '<w:b/><w:bCs/>' }),
});

const tableText = (id: string, name: string, halfPoints: number): Style => ({
  id,
  name,
  basedOn: 'Normal',
  paragraph: '<w:spacing w:before="30" w:after="30" w:line="240" w:lineRule="auto"/>',
  text: size(halfPoints),
  isCustom: true,
});

const STYLES: readonly Style[] = [
  heading(1, 32, '<w:spacing w:before="480" w:after="160" w:line="240" w:lineRule="auto"/>', 567),
  heading(2, 25, '<w:spacing w:before="320" w:after="120" w:line="240" w:lineRule="auto"/>', 737),
  heading(3, 22, '<w:spacing w:before="240" w:after="80" w:line="240" w:lineRule="auto"/>', 851),
  {
    id: 'Title',
    name: 'Title',
    basedOn: 'Normal',
    paragraph: '<w:keepLines/><w:spacing w:before="120" w:after="240" w:line="240" w:lineRule="auto"/>',
    text: `<w:b/><w:bCs/>${color(ACCENT)}${size(56)}`,
  },
  {
    id: 'Subtitle',
    name: 'Subtitle',
    basedOn: 'Normal',
    paragraph: '<w:spacing w:before="2400" w:after="0" w:line="240" w:lineRule="auto"/>',
    text: `${color(GREY)}${size(26)}`,
  },
  {
    id: 'TOCHeading',
    name: 'TOC Heading',
    basedOn: 'Normal',
    next: 'Normal',
    paragraph:
      '<w:keepNext/><w:pageBreakBefore/><w:spacing w:before="0" w:after="240" w:line="240" w:lineRule="auto"/>',
    text: `<w:b/><w:bCs/>${color(ACCENT)}${size(32)}`,
  },
  ...[1, 2, 3].map(contentsEntry),
  {
    id: 'Header',
    name: 'header',
    basedOn: 'Normal',
    paragraph: '<w:spacing w:after="0"/>',
    text: `${color(GREY)}${size(16)}`,
  },
  {
    id: 'Footer',
    name: 'footer',
    basedOn: 'Normal',
    paragraph: '<w:spacing w:after="0"/>',
    text: `${color(GREY)}${size(16)}`,
  },
  {
    id: 'Caption',
    name: 'caption',
    basedOn: 'Normal',
    next: 'Normal',
    paragraph: '<w:keepNext/><w:keepLines/><w:spacing w:before="240" w:after="80" w:line="240" w:lineRule="auto"/>',
    text: `<w:b/><w:bCs/>${color(GREY)}${size(18)}`,
  },
  {
    id: 'Quote',
    name: 'Quote',
    basedOn: 'Normal',
    paragraph:
      '<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="BFBFBF"/></w:pBdr><w:spacing w:before="120"/><w:ind w:left="284"/>',
    text: color(GREY),
  },
  {
    id: 'Code',
    name: 'Code',
    basedOn: 'Normal',
    paragraph:
      '<w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/><w:spacing w:after="120" w:line="240" w:lineRule="auto"/>',
    text: `${fonts(CODE_FONT)}<w:noProof/>${size(17)}`,
    isCustom: true,
  },
  {
    id: 'Rule',
    name: 'Rule',
    basedOn: 'Normal',
    paragraph:
      '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="BFBFBF"/></w:pBdr><w:spacing w:before="0" w:after="160"/>',
    text: size(8),
    isCustom: true,
  },
  { id: 'ListParagraph', name: 'List Paragraph', basedOn: 'Normal', paragraph: '<w:spacing w:after="60"/>' },
  {
    id: 'Notice',
    name: 'Notice',
    basedOn: 'Normal',
    paragraph: [
      '<w:pBdr><w:left w:val="single" w:sz="24" w:space="8" w:color="C55A11"/></w:pBdr>',
      '<w:shd w:val="clear" w:color="auto" w:fill="FBE9DD"/>',
      '<w:spacing w:before="240" w:after="120"/><w:ind w:left="227" w:right="57"/>',
    ].join(''),
    isCustom: true,
  },
  {
    id: 'TableNote',
    name: 'Table Note',
    basedOn: 'Normal',
    paragraph: '<w:spacing w:before="60" w:after="160"/>',
    text: `<w:i/><w:iCs/>${color(GREY)}${size(17)}`,
    isCustom: true,
  },
  {
    id: 'Hash',
    name: 'Hash',
    basedOn: 'Normal',
    paragraph: '<w:spacing w:before="360"/>',
    text: `${color(GREY)}${size(16)}`,
    isCustom: true,
  },
  tableText('TableText', 'Table Text', 18),
  tableText('TableTextSmall', 'Table Text Small', 16),
  tableText('TableTextTiny', 'Table Text Tiny', 14),
  { id: 'Fact', name: 'Fact', basedOn: 'Normal', paragraph: '<w:spacing w:before="50" w:after="50"/>', isCustom: true },
  {
    id: 'Break',
    name: 'Section Break',
    basedOn: 'Normal',
    paragraph: '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>',
    text: size(2),
    isCustom: true,
  },
];

function styleXml({ id, name, basedOn, next, paragraph, text, isCustom }: Style): string {
  return [
    `<w:style w:type="paragraph" ${isCustom ? 'w:customStyle="1" ' : ''}w:styleId="${id}"><w:name w:val="${name}"/>`,
    basedOn ? `<w:basedOn w:val="${basedOn}"/>` : '',
    next ? `<w:next w:val="${next}"/>` : '',
    '<w:qFormat/>',
    paragraph ? `<w:pPr>${paragraph}</w:pPr>` : '',
    text ? `<w:rPr>${text}</w:rPr>` : '',
    '</w:style>',
  ].join('');
}

const BORDERS = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="BFBFBF"/>`)
  .join('');
const CELL_MARGINS =
  '<w:tblCellMar><w:top w:w="20" w:type="dxa"/><w:left w:w="80" w:type="dxa"/><w:bottom w:w="20" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar>';

/** The part `word/styles.xml`. @param language tag of the language in which Word checks the spelling */
export const stylesXml = (language: string): string =>
  [
    XML_DECLARATION,
    `<w:styles ${NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr>${fonts(FONT)}${size(20)}`,
    `<w:lang w:val="${language}" w:eastAsia="${language}" w:bidi="ar-SA"/></w:rPr></w:rPrDefault>`,
    '<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>',
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>',
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/></w:style>',
    `<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/>${CELL_MARGINS}</w:tblPr></w:style>`,
    '<w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/></w:style>',
    ...STYLES.map(styleXml),
    `<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:basedOn w:val="DefaultParagraphFont"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>`,
    `<w:style w:type="character" w:customStyle="1" w:styleId="CodeText"><w:name w:val="Code Text"/><w:basedOn w:val="DefaultParagraphFont"/><w:rPr>${fonts(CODE_FONT)}<w:noProof/><w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/></w:rPr></w:style>`,
    `<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>${BORDERS}</w:tblBorders>${CELL_MARGINS}</w:tblPr></w:style>`,
    '</w:styles>',
  ].join('');

/** Ids of the definitions that `numberingXml` states. */
const HEADINGS = 0;
const BULLETS = 1;
const ORDERED = 2;
/** Number ids below this one are those of headings and bullets. */
export const FIRST_LIST = 3;
export const BULLET_LIST = 2;
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Levels of lists within one another that have a look of their own. */
export const DEEPEST_LEVEL = 8;

const level = (index: number, format: string, text: string, indent: number, hanging: number, more = ''): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${indent}" w:hanging="${hanging}"/></w:pPr></w:lvl>`;

const definition = (id: number, levels: readonly string[]): string =>
  `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels.join('')}</w:abstractNum>`;

/**
 * The part `word/numbering.xml`.
 * @param lists of each ordered list its level and the number with which it begins; their ids begin with `FIRST_LIST`
 */
export function numberingXml(lists: readonly { level: number; start: number }[]): string {
  const headings = [1, 2, 3].map((depth) =>
    level(
      depth - 1,
      'decimal',
      [1, 2, 3]
        .slice(0, depth)
        .map((part) => `%${part}`)
        .join('.'),
      [567, 737, 851][depth - 1]!,
      [567, 737, 851][depth - 1]!,
      `<w:pStyle w:val="Heading${depth}"/>`,
    ),
  );
  const indent = (index: number): number => 425 * (index + 1);
  return [
    XML_DECLARATION,
    `<w:numbering ${NAMESPACES}>`,
    definition(HEADINGS, headings),
    definition(
      BULLETS,
      LEVELS.map((index) => level(index, 'bullet', index % 2 === 0 ? '•' : '–', indent(index), 283)),
    ),
    definition(
      ORDERED,
      LEVELS.map((index) => level(index, 'decimal', `%${index + 1}.`, indent(index), 397)),
    ),
    `<w:num w:numId="1"><w:abstractNumId w:val="${HEADINGS}"/></w:num>`,
    `<w:num w:numId="${BULLET_LIST}"><w:abstractNumId w:val="${BULLETS}"/></w:num>`,
    ...lists.map(
      ({ level: index, start }, at) =>
        `<w:num w:numId="${FIRST_LIST + at}"><w:abstractNumId w:val="${ORDERED}"/><w:lvlOverride w:ilvl="${index}"><w:startOverride w:val="${start}"/></w:lvlOverride></w:num>`,
    ),
    '</w:numbering>',
  ].join('');
}

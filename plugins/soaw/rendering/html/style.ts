/** The look of the HTML file, on the screen and on paper. */
import { createHash } from 'node:crypto';

/** Text of the element `style`. */
export const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 60rem; color: #1a1a1a; background: #fff;
  font: 1rem/1.55 Arial, "Liberation Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { color: #1f3864; line-height: 1.25; break-after: avoid; }
h1 { font-size: 2.1rem; margin: .2em 0 .6em; }
h2 { font-size: 1.5rem; margin: 2.4em 0 .6em; border-bottom: 1px solid #d0d7e5; padding-bottom: .2em; }
h3 { font-size: 1.2rem; margin: 1.8em 0 .5em; }
h4 { font-size: 1.05rem; margin: 1.5em 0 .4em; }
p { margin: 0 0 .8em; }
a { color: #0b5394; }
.logo { display: block; max-width: 14rem; max-height: 6rem; margin-bottom: 2rem; }
.kind, .margin { color: #595959; }
.kind { margin: 0; font-size: 1.1rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.5rem; margin: 0 0 1.5rem; }
.facts dt { color: #595959; }
.facts dd { margin: 0; font-weight: bold; }
.notice { border-left: 4px solid #c55a11; background: #fbe9dd; padding: .7rem 1rem; }
nav ol { list-style: none; padding: 0; margin: 0; }
nav li { padding: .1rem 0; }
nav li.level-1 { font-weight: bold; margin-top: .4rem; }
nav li.level-2 { padding-left: 1.6rem; }
nav li.level-3 { padding-left: 3.6rem; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
.table { overflow-x: auto; margin: 1rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.4; overflow-wrap: break-word; }
td .long, th .long { overflow-wrap: anywhere; }
.wide table { font-size: .78rem; }
caption { text-align: left; font-weight: bold; color: #595959; padding-bottom: .4rem; }
th, td { border: 1px solid #bfbfbf; padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { background: #dce4f2; }
tfoot td { background: #f2f2f2; font-weight: bold; }
th.right, td.right { text-align: right; font-variant-numeric: tabular-nums; }
th.center, td.center { text-align: center; }
.withheld, .none { color: #6b6b6b; font-style: italic; }
.note { color: #595959; font-style: italic; font-size: .875rem; }
blockquote { margin: 0 0 .8em; padding-left: 1rem; border-left: 3px solid #bfbfbf; color: #595959; }
pre { background: #f2f2f2; padding: .7rem 1rem; white-space: pre-wrap; }
code { font-family: "Courier New", "Liberation Mono", monospace; font-size: .92em; }
.hash { font-size: .875rem; }
@page { size: A4; margin: 20mm 20mm 22mm; }
@page across { size: A4 landscape; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .signatures { break-before: page; }
  .first { break-before: page; }
  .table { overflow: visible; }
  table { font-size: 8.5pt; }
  .wide { page: across; }
  .wide table { font-size: 7pt; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
`;

/**
 * The Content-Security-Policy of the file: no scripts, no requests, its own style and logo only. The file states it itself; a
 * server that adds a policy of its own must allow the same.
 */
export const HTML_POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

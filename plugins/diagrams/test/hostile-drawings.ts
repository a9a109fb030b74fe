/** Drawings that try to run code, to load something or to exhaust the reader. */
import { deflateRawSync } from 'node:zlib';

const escaped = (text: string): string => text.replace(/[&<>"\n]/g, (one) => `&#${one.charCodeAt(0)};`);

/** A page with one shape. */
export const pageWith = (cells: string, model = ''): string =>
  `<mxGraphModel ${model}><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells}</root></mxGraphModel>`;
export const fileWith = (cells: string, model = ''): string =>
  `<mxfile><diagram id="p" name="Page">${pageWith(cells, model)}</diagram></mxfile>`;
const geometry = '<mxGeometry x="10" y="10" width="120" height="60" as="geometry"/>';
/** A shape with a label and a style. */
export const shape = (value: string, style = 'html=1;whiteSpace=wrap;', id = 'a'): string =>
  `<mxCell id="${id}" value="${escaped(value)}" style="${escaped(style)}" vertex="1" parent="1">${geometry}</mxCell>`;
/** A shape with attributes of the user. */
export const object = (attributes: string, style = 'html=1;'): string =>
  `<UserObject ${attributes} id="a"><mxCell style="${escaped(style)}" vertex="1" parent="1">${geometry}</mxCell></UserObject>`;
export const deflated = (text: string): string => deflateRawSync(encodeURIComponent(text)).toString('base64');

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');

/** A drawing, and what must not be left of it. */
export interface Hostile {
  name: string;
  content: string;
  /** Must not occur in the written file or in the picture, decoded. */
  without: RegExp;
}

const label = (name: string, html: string, without: RegExp): Hostile => ({
  name,
  content: fileWith(shape(html)),
  without,
});
const styled = (name: string, style: string, without: RegExp): Hostile => ({
  name,
  content: fileWith(shape('x', style)),
  without,
});

export const DISARMED: readonly Hostile[] = [
  label('a script', 'a<script>alert(1)</script>b', /script|alert/i),
  label('a script in capitals with spaces', '<ScRiPt\n>alert(1)</sCrIpT >', /script|alert/i),
  label('a script without end', 'text<script src="//evil.test/x.js">', /script|evil/i),
  label('scripts inside each other', '<scr<script>ipt>alert(1)</scr</script>ipt>', /<script|<\/script/i),
  label('a tag made by the removal of another', '<<x>script>alert(1)<<x>/script>', /<script/i),
  label('an event handler', '<b onclick="alert(1)">x</b>', /onclick|alert/i),
  label('an event handler after a slash', '<img/src=x/onerror=alert(1)>', /onerror|alert/i),
  label('an event handler without quotes in a tag without end', 'x<img src=x onerror=alert(1) ', /onerror|alert/i),
  label('a script address', '<a href="javascript:alert(1)">x</a>', /javascript|alert/i),
  label('a script address with references', '<a href="&#106;ava&#x73;cript&colon;alert(1)">x</a>', /&colon;|alert/i),
  label('a script address with white space', '<a href=" java\n\tscript:alert(1)">x</a>', /script|alert/i),
  label('VBScript', "<a href='vbscript:msgbox(1)'>x</a>", /vbscript|msgbox/i),
  label('a document in an address', '<a href="data:text/html,<b>x</b>">x</a>', /data:text/i),
  label('an embedded SVG', `<img src="data:image/svg+xml;base64,${svg}">`, /svg\+xml/i),
  label(
    'SVG in a label',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>ok',
    /javascript|<svg[^>]*><a/i,
  ),
  label(
    'MathML and a style',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    /mtext|onerror/i,
  ),
  label('a comment with a tag', '<!--><img src=x onerror=alert(1)>-->', /onerror/i),
  label(
    'a title that ends in an attribute',
    '<title><b title="</title><img src=x onerror=alert(1)>">x</b></title>',
    /onerror/i,
  ),
  label('a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', /iframe|srcdoc/i),
  label('CSS with an address', '<div style="background:url(https://evil.test/t.gif);color:red">x</div>', /evil|url\(/i),
  label('CSS with an escaped address', '<div style="background:u\\72l(//evil.test/t)">x</div>', /evil/i),
  label('CSS with an expression', '<div style="width:expression(alert(1))">x</div>', /expression|alert/i),
  label('CSS that covers the page', '<div style="position:fixed;top:0;left:0;z-index:9">x</div>', /position|z-index/i),
  label(
    'a form',
    '<form action="https://evil.test"><input name=q><button formaction="javascript:alert(1)">x</button></form>',
    /form|evil/i,
  ),
  label(
    'a meta tag and a base',
    '<meta http-equiv=refresh content="0;url=//evil.test"><base href="//evil.test">x',
    /evil|meta|base/i,
  ),
  styled('a script address in a style', 'html=1;image=javascript:alert(1);', /javascript|alert/i),
  styled('an image of another server', 'shape=image;image=https://evil.test/t.png;', /evil/i),
  styled('an image of another server without protocol', 'shape=image;image=//evil.test/t.png;', /evil/i),
  styled('an embedded SVG as image', `shape=image;image=data:image/svg+xml,${svg};`, /svg\+xml/i),
  styled(
    'an embedded SVG as image, divided',
    `shape=image;image=data:image/svg+xml;base64,${svg};`,
    /svg\+xml|base64/i,
  ),
  styled('a path out of the library', 'shape=image;image=img/lib/../../api/v1/users;', /users/i),
  styled('a font of another server', 'fontFamily=X;fontSource=https%3A%2F%2Fevil.test%2Ff;', /evil/i),
  styled('a link in a style', 'html=1;link=java%73cript:alert(1);', /alert/i),
  styled('CSS rules for images', 'editableCssRules=.*{background:url(//evil.test)};', /evil/i),
  styled(
    'a custom shape with a script',
    `shape=stencil(${deflated('<shape w="1" h="1"><script>alert(1)</script></shape>')});`,
    /stencil/,
  ),
  styled(
    'a custom shape with an image',
    `shape=stencil(${deflated('<shape w="1" h="1"><foreground><image src="https://evil.test/x"/></foreground></shape>')});`,
    /stencil/,
  ),
  styled(
    'a custom shape with a document type',
    `shape=stencil(${deflated('<!DOCTYPE shape [<!ENTITY x SYSTEM "file:///etc/passwd">]><shape>&x;</shape>')});`,
    /stencil/,
  ),
  styled(
    'a custom shape of 50 MB',
    `shape=stencil(${deflated(`<shape>${' '.repeat(50_000_000)}</shape>`)});`,
    /stencil/,
  ),
  {
    name: 'a script address as link',
    content: fileWith(object('label="x" link="javascript:alert(1)"')),
    without: /javascript|alert/i,
  },
  {
    name: 'an action as link',
    content: fileWith(
      object(`label="x" link="${escaped('data:action/json,{"actions":[{"open":"javascript:alert(1)"}]}')}"`),
    ),
    without: /data:action|alert/i,
  },
  { name: 'a link without protocol', content: fileWith(object('label="x" link="//evil.test"')), without: /evil/i },
  {
    name: 'an event handler of the wrapper',
    content: fileWith(object('label="x" onmouseover="alert(1)" cardId="keep"')),
    without: /onmouseover|alert/i,
  },
  {
    name: 'markup in a placeholder',
    content: fileWith(object(`label="%x%" placeholders="1" x="${escaped('<img src=x onerror=alert(1)>')}"`)),
    without: /onerror/i,
  },
  {
    name: 'markup in a tooltip',
    content: fileWith(object(`label="x" tooltip="${escaped('<iframe src="//evil.test"></iframe>')}"`)),
    without: /iframe|evil/i,
  },
  {
    name: 'a script in a label that is text',
    content: fileWith(shape('<script>alert(1)</script>', 'whiteSpace=wrap;')),
    without: /<script/i,
  },
  {
    name: 'foreign elements in a cell',
    content: fileWith(`<mxCell id="a" vertex="1" parent="1"><script>alert(1)</script>${geometry}</mxCell>`),
    without: /script|alert/i,
  },
  {
    name: 'foreign elements in a geometry',
    content: fileWith(
      '<mxCell id="a" vertex="1" parent="1"><mxGeometry as="geometry"><object data="//evil.test"/></mxGeometry></mxCell>',
    ),
    without: /evil/i,
  },
  {
    name: 'plugins of the file',
    content: fileWith(shape('x')).replace('<mxfile', '<mxfile plugins="https://evil.test/p.js"'),
    without: /evil/i,
  },
  {
    name: 'markup in the variables of the file',
    content: fileWith(shape('x')).replace(
      '<mxfile',
      `<mxfile vars="${escaped('{"x":"<img src=x onerror=alert(1)>"}')}"`,
    ),
    without: /onerror/i,
  },
  {
    name: 'a background of another server',
    content: fileWith(
      shape('x'),
      `backgroundImage="${escaped('{"src":"https://evil.test/t.png","width":1,"height":1}')}"`,
    ),
    without: /evil/i,
  },
  { name: 'fonts of the page', content: fileWith(shape('x'), 'extFonts="X^https://evil.test/f"'), without: /evil/i },
  {
    name: 'an element beside the pages',
    content: fileWith(shape('x')).replace('<diagram', '<script>alert(1)</script><diagram'),
    without: /script|alert/i,
  },
  {
    name: 'a processing instruction',
    content: `<?xml-stylesheet href="//evil.test/x.xsl"?>${fileWith(shape('x'))}`,
    without: /evil/i,
  },
];

/** A drawing that is refused, with the reason. */
export interface Refused {
  name: string;
  content: string | Buffer;
  reason: string;
}

const nested = (depth: number): string => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;

export const REFUSED: readonly Refused[] = [
  {
    name: 'entities that grow',
    content: `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${fileWith(shape('&b;'))}`,
    reason: 'doctype',
  },
  { name: 'an external entity', content: `<!DOCTYPE x SYSTEM "file:///etc/passwd">${fileWith('')}`, reason: 'doctype' },
  { name: 'an unknown entity', content: '<mxfile><diagram name="&x;"/></mxfile>', reason: 'not_well_formed' },
  {
    name: 'a document type in a compressed page',
    content: `<mxfile><diagram>${deflated('<!DOCTYPE x><mxGraphModel/>')}</diagram></mxfile>`,
    reason: 'doctype',
  },
  { name: 'a tag that does not end', content: '<mxfile><diagram><mxGraphModel></mxfile>', reason: 'not_well_formed' },
  { name: 'an empty file', content: '', reason: 'not_well_formed' },
  { name: 'bytes that are no text', content: Buffer.from([0x3c, 0xff, 0xfe, 0x80]), reason: 'encoding' },
  { name: 'another document', content: '<html><body/></html>', reason: 'not_drawio' },
  { name: 'a file without pages', content: '<mxfile/>', reason: 'not_drawio' },
  {
    name: 'a page that is another document',
    content: `<mxfile><diagram>${deflated('<html/>')}</diagram></mxfile>`,
    reason: 'not_drawio',
  },
  { name: 'a page that is no Base64', content: '<mxfile><diagram>%%%%</diagram></mxfile>', reason: 'not_compressed' },
  {
    name: 'a page that cannot be inflated',
    content: '<mxfile><diagram>AAAA</diagram></mxfile>',
    reason: 'not_compressed',
  },
  {
    name: 'a page of 60 MB',
    content: `<mxfile><diagram>${deflateRawSync(Buffer.alloc(60_000_000, 32)).toString('base64')}</diagram></mxfile>`,
    reason: 'too_large',
  },
  {
    name: 'elements inside each other',
    content: `<mxfile><diagram>${nested(5_000)}</diagram></mxfile>`,
    reason: 'too_deep',
  },
  { name: 'a file of 11 MB', content: `<mxfile>${' '.repeat(11_000_000)}</mxfile>`, reason: 'too_large' },
  { name: '20,001 cells', content: fileWith('<mxCell/>'.repeat(20_001)), reason: 'too_many_cells' },
];

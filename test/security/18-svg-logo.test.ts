/** A logo contains only listed elements and attributes, by namespace, and is rendered only as an image. */
import t from 'tap';
import { svgFault } from '../../core/settings/svg.js';
import { registerAdmin, testApp } from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
const svg = (inner: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`;
const NOTES = [
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://purl.org/dc/elements/1.1/',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://www.bohemiancoding.com/sketch/ns',
  'http://www.serif.com/',
];

await t.test('elements and attributes of other namespaces, and unlisted ones', async (t) => {
  for (const uri of [
    ...NOTES,
    'http://www.w3.org/1999/xhtml',
    'http://www.inkscape.org/',
    'http://purl.org/',
    'http://www.w3.org/2001/xml-events',
    'http://www.w3.org/1998/Math/MathML',
    'http://ns.adobe.com/AdobeIllustrator/10.0/',
  ]) {
    for (const name of [
      'script',
      'Script',
      'iframe',
      'object',
      'embed',
      'handler',
      'listener',
      'a',
      'set',
      'animate',
      'foreignObject',
      'style',
      'link',
      'html',
    ]) {
      t.match(
        svgFault(Buffer.from(svg(`<metadata><x:${name} xmlns:x="${uri}">alert(1)</x:${name}></metadata>`))),
        `has the element ${name}`,
        `${uri} ${name}`,
      );
    }
    t.match(svgFault(Buffer.from(svg('', `xmlns:x="${uri}" x:onload="alert(1)"`))), 'has the attribute x:onload', uri);
  }
  for (const name of [
    'script',
    'foreignObject',
    'a',
    'animate',
    'animateTransform',
    'animateMotion',
    'animateColor',
    'set',
    'mpath',
    'discard',
    'handler',
    'listener',
    'iframe',
    'audio',
    'video',
    'canvas',
    'source',
    'link',
    'cursor',
    'font',
    'font-face-uri',
    'color-profile',
    'feImage',
    'hatch',
    'SVG',
    'Script',
    'unknown',
  ]) {
    t.equal(svgFault(Buffer.from(svg(`<${name}/>`))), `has the element ${name}`, name);
  }
  for (const name of [
    'onload',
    'ONLOAD',
    'onbegin',
    'src',
    'srcdoc',
    'action',
    'formaction',
    'target',
    'ping',
    'attributeName',
    'from',
    'to',
    'begin',
    'handler',
    'xmlnsx',
    'is',
    'nonce',
    'externalResourcesRequired',
    'aria-',
    'unknown',
  ]) {
    t.equal(svgFault(Buffer.from(svg('', `${name}="x"`))), `has the attribute ${name}`, name);
  }
  t.equal(
    svgFault(Buffer.from(svg('', 'xmlns:e="http://www.w3.org/2001/xml-events" e:event="load"'))),
    'has the attribute e:event',
  );
  t.equal(svgFault(Buffer.from(svg('', 'xlink:onload="x"'))), 'has the attribute xlink:onload');
  t.equal(svgFault(Buffer.from(svg('', 'xml:base="http://evil.example/"'))), 'has the attribute xml:base');
});

await t.test('an address, however it is written', async (t) => {
  for (const value of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:x',
    '&#9;java&#10;script&#13;:x',
    '&#x6A;avascript:x',
    '&#0000106;avascript:x',
    'java&#x200B;script:x',
    'vbscript:x',
    'data:text/html;base64,AAAA',
    'data:image/svg+xml,x',
    'data:image/png,x',
    '//evil.example',
    'http://evil.example',
    'file:///etc/passwd',
    'x.svg#a',
    '?',
    '# a',
    '',
  ]) {
    for (const name of ['href', 'xlink:href'])
      t.equal(
        svgFault(Buffer.from(svg(`<use ${name}="${value}"/>`))),
        'links to something outside',
        `${name} ${value}`,
      );
  }
  t.equal(
    svgFault(
      Buffer.from(
        svg(
          '<x:use xmlns:x="http://www.w3.org/2000/svg" xmlns:y="http://www.w3.org/1999/xlink" y:href="javascript:x"/>',
        ),
      ),
    ),
    'links to something outside',
    'with other prefixes',
  );
  for (const style of [
    '@import url(x)',
    '@IMPORT "x"',
    '.a{fill:url(http://x)}',
    '.a{fill:URL ( x )}',
    '.a{fill:u\\72l(x)}',
    '.a{-moz-binding:url(x)}',
    '.a{width:expression(x)}',
    '.a{background:image-set("x" 1x)}',
  ]) {
    t.match(svgFault(Buffer.from(svg(`<style>${style}</style>`))), 'has a style that fetches', style);
    t.match(
      svgFault(Buffer.from(svg(`<g style="${style.replaceAll('"', '&quot;')}"/>`))),
      'fetches something by style',
      style,
    );
  }
});

await t.test('it must be well-formed', async (t) => {
  for (const text of [
    svg('<g id="a" id="b"/>'),
    svg('<g></svg><g>'),
    svg('<x:g/>'),
    svg('<g x:y="1"/>'),
    svg('<text>a & b</text>'),
    `${svg('')}<script/>`,
    `${svg('')}${svg('')}`,
    svg('<g a=b/>'),
    svg('<text>&nbsp;</text>'),
    svg('<!-- -- -->'),
  ])
    t.match(svgFault(Buffer.from(text)), /well-formed.*line 1/, text);
  const answer = await api.send('PUT', '/settings/logo', svg('<g id="a" id="b"/>'), {
    headers: { 'content-type': 'image/svg+xml' },
  });
  t.match(answer, { status: 422, body: { errors: [{ reason: /duplicate attribute: id/ }] } });
});

await t.test('files of drawing programs are accepted', async (t) => {
  const drawn = [
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape (http://www.inkscape.org/) -->\n<svg width="210mm" height="297mm" viewBox="0 0 210 297" version="1.1" id="svg5" inkscape:version="1.2.2" sodipodi:docname="logo.svg"
      xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:pageshadow="2" inkscape:document-units="mm" showgrid="false"><inkscape:grid type="xygrid" id="grid1"/></sodipodi:namedview>
      <defs id="defs2"><inkscape:path-effect effect="spiro" id="path-effect1" is_visible="true"/></defs>
      <metadata id="metadata1"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/><dc:creator><cc:Agent><dc:title>Ada</dc:title></cc:Agent></dc:creator></cc:Work></rdf:RDF></metadata>
      <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1"><rect style="fill:#0f0;stroke-width:0.26;-inkscape-stroke:none" id="rect1" width="10" height="10" x="1" y="2" ry="1"/><path d="m 1,1 2,2 z" sodipodi:nodetypes="cc" inkscape:connector-curvature="0"/></g></svg>`,
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator 24.0.1, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->\n<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px" viewBox="0 0 10 10" style="enable-background:new 0 0 10 10;" xml:space="preserve"><style type="text/css">\n.st0{fill:#E30613;}\n</style><g id="a" data-name="Layer 1"><path class="st0" d="M0 0"/></g></svg>`,
    svg(
      '<title id="t">Logo</title><symbol id="s" viewBox="0 0 1 1"><circle cx="1" cy="1" r="1" vector-effect="non-scaling-stroke"/></symbol><use xlink:href="#s" fill="currentColor"/><image xlink:href="data:image/png;base64,iVBORw0KGgo=" width="1" height="1"/>',
      'role="img" aria-labelledby="t" focusable="false" xmlns:serif="http://www.serif.com/" serif:id="x" xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/" xml:lang="en"',
    ),
    svg(
      '<filter id="f" color-interpolation-filters="sRGB"><feColorMatrix in="SourceGraphic" type="matrix" values="1 0"/><feComponentTransfer><feFuncA type="linear" slope="0.5"/></feComponentTransfer><feTurbulence baseFrequency="0.1" numOctaves="2" seed="1" stitchTiles="stitch"/></filter><linearGradient id="g" gradientUnits="userSpaceOnUse" spreadMethod="pad" xlink:href="#h"/><rect filter="url(#f)" fill="url(#g)"/>',
    ),
  ];
  for (const text of drawn) t.equal(svgFault(Buffer.from(text)), undefined, text.slice(0, 60));
});

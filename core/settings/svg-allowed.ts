const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements of a static image: no scripts, links, foreign content or animation. */
const SVG_ELEMENTS = names(`
  svg g defs symbol use title desc metadata style switch view path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
  feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`);
const SVG_ATTRIBUTES = names(`
  id class style lang href role focusable tabindex version baseProfile contentScriptType contentStyleType zoomAndPan viewBox preserveAspectRatio
  media type systemLanguage requiredFeatures requiredExtensions
  x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height d points pathLength rotate transform transform-origin
  textLength lengthAdjust startOffset method spacing side path offset gradientUnits gradientTransform spreadMethod
  patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result mode values tableValues slope intercept amplitude exponent operator k1 k2 k3 k4 order kernelMatrix
  divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent
  limitingConeAngle pointsAtX pointsAtY pointsAtZ azimuth elevation z scale xChannelSelector yChannelSelector stdDeviation radius baseFrequency
  numOctaves seed stitchTiles flood-color flood-opacity lighting-color stop-color stop-opacity
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters color-profile color-rendering
  cursor direction display dominant-baseline enable-background fill fill-opacity fill-rule filter font font-family font-size font-size-adjust
  font-stretch font-style font-variant font-weight glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning
  letter-spacing line-height marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events
  shape-rendering solid-color solid-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-align text-anchor text-decoration text-indent text-overflow text-rendering text-transform unicode-bidi
  vector-effect vertical-align visibility white-space word-spacing writing-mode`);
/** Attributes for accessibility tools and scripts; browsers do not render them. */
const NOTED_ATTRIBUTE = /^(aria|data)-[a-z][a-z0-9-]*$/;

const DUBLIN_CORE = names(
  'contributor coverage creator date description format identifier language publisher relation rights source subject title type',
);
const CREATIVE_COMMONS = names(
  'Agent License Work attributionName attributionURL legalcode license permits prohibits requires',
);
const NOTHING = names('-');

/**
 * Metadata of drawing programs that browsers ignore: these elements, and any attribute that is not an event handler.
 */
const NOTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'http://www.inkscape.org/namespaces/inkscape',
    names('box3d grid page path-effect perspective tile-clip templateinfo'),
  ],
  ['http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd', names('guide namedview')],
  [RDF, names('RDF Description Bag Seq Alt li')],
  ['http://purl.org/dc/elements/1.1/', DUBLIN_CORE],
  ['http://purl.org/dc/terms/', DUBLIN_CORE],
  ['http://creativecommons.org/ns#', CREATIVE_COMMONS],
  ['http://web.resource.org/cc/', CREATIVE_COMMONS],
  ['http://www.bohemiancoding.com/sketch/ns', NOTHING],
  ['http://www.serif.com/', NOTHING],
]);

/** The only other namespaces whose attributes are allowed. */
const OTHER_ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [XLINK, names('href type role arcrole title show actuate')],
  [XML, names('space lang id')],
]);

export const isSvg = (uri: string): boolean => uri === SVG;

/** Whether an element is allowed in a logo. */
export function isAllowedElement(uri: string, local: string): boolean {
  return (isSvg(uri) ? SVG_ELEMENTS : NOTES.get(uri))?.has(local) === true;
}

/**
 * Whether an attribute is allowed in a logo; its value is checked separately.
 * @param uri namespace of the attribute; empty where its name has no prefix
 * @param element namespace of the element it belongs to
 */
export function isAllowedAttribute(uri: string, local: string, element: string): boolean {
  if (/^on/i.test(local)) return false;
  if (uri !== '') return OTHER_ATTRIBUTES.get(uri)?.has(local) ?? NOTES.has(uri);
  return !isSvg(element) || SVG_ATTRIBUTES.has(local) || NOTED_ATTRIBUTE.test(local);
}

/** Whether an attribute refers to a resource to load. */
export const isLink = (uri: string, local: string): boolean => local === 'href' && (uri === '' || uri === XLINK);

/** The content of a diagram that is created without any: one empty page. */
export const EMPTY_FILE = Buffer.from(
  '<mxfile><diagram id="page-1" name="Page-1"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/></root></mxGraphModel></diagram></mxfile>',
);

/** Shapes of draw.io by name. */

/** Names of shapes by the library. */
const FAMILIES: Record<string, string> = {
  basic:
    'rectangle ellipse doubleEllipse rhombus triangle hexagon parallelogram trapezoid cylinder cylinder2 cylinder3 cloud document note note2 card cube ' +
    'step tape callout plus cross actor process process2 internalStorage offPageConnector manualInput dataStorage loopLimit delay display or xor ' +
    'sumEllipse orEllipse lineEllipse collate sortShape switch corner tee singleArrow doubleArrow curlyBracket line ext message isoCube isoCube2 ' +
    'isoRectangle datastore waypoint crossbar tapeData',
  uml:
    'umlActor folder component module lollipop requires requiredInterface providedRequiredInterface umlBoundary umlEntity umlControl umlLifeline umlFrame ' +
    'umlDestroy startState endState umlState associativeEntity partialRectangle',
  lanes: 'swimlane table tableRow',
  flowchart:
    'annotation_1 annotation_2 card collate data database decision delay direct_data display document extract_or_measurement internal_storage ' +
    'loop_limit manual_input manual_operation merge_or_storage multi-document off-page_reference on-page_reference or paper_tape parallel_mode ' +
    'predefined_process preparation process sequential_data sort start_1 start_2 stored_data summing_function terminator transfer',
  bpmn: 'task event gateway gateway2 shape data conversation transaction timer_start ad_hoc loop user_task manual_task service_task script_task',
  electrical:
    'resistors.resistor_1 resistors.resistor_2 capacitors.capacitor_1 miscellaneous.monocell_battery logic_gates.logic_gate',
  ios: 'iPin',
};
/** Names of all shapes that are tested. */
export const NAMES = Object.entries(FAMILIES).flatMap(([family, names]) =>
  names
    .split(' ')
    .map((name) => (/^(flowchart|bpmn|electrical|ios)$/.test(family) ? `mxgraph.${family}.${name}` : name)),
);

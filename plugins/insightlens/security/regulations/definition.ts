/** A requirement of a regulation for which rules of the analysis give evidence. */
export interface Requirement {
  /** As the regulation numbers it. */
  id: string;
  /** In short, in own words; the regulation itself is what counts. */
  text: string;
  /** Ids of rules whose findings speak against it. */
  rules: readonly string[];
}

export interface Regulation {
  id: string;
  title: string;
  /** Where it is published. */
  reference: string;
  requirements: readonly Requirement[];
}

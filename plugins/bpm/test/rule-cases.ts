/** A case for a rule on the content of a file. */
export interface RuleCase {
  name: string;
  /** With the fault. */
  faulty: string;
  /** `severity code line element_id`, all that are reported. */
  problems: string[];
  /** The same without the fault; it has no problem. */
  sound: string;
}

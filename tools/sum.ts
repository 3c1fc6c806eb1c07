/** Result of a step of `npm test`. */
export interface Sum {
  passed: number
  failed: number
  /** Names of failures, repeated at the end, which is often all that a log keeps. */
  failures?: string[]
  /** What the step has to show, of one that can run beside others and so prints nothing itself. */
  output?: string
}

import type { Code } from '#contract/codes.ts'
import type { Problem as CodedProblem } from '#contract/refusals.ts'
import { codeText } from '../texts/code-text.ts'

/** What a rule finds wrong: a code with its values, or a text. */
export type Problem = string | CodedProblem<Code>

/** A problem in the reader's language; a code reads as it does when the server refuses with it. */
export const problemText = (problem: Problem): string => (typeof problem === 'string' ? problem : codeText(problem))

import { useEffect } from 'react'
import type { Code } from '#contract/codes.ts'
import type { Problem as CodedProblem } from '#contract/refusals.ts'
import { useStore } from '../store.ts'
import { codeText, codeTextsStore, loadCodeTexts } from '../texts/code-text.ts'

/** What a rule finds wrong: a code with its values, or a text. */
export type Problem = string | CodedProblem<Code>

type ProblemText = (problem: Problem | undefined) => string | undefined

const problemText: ProblemText = (problem) => (typeof problem === 'object' ? codeText(problem) : problem)

/**
 * A problem in the reader's language; a code reads as it does when the server refuses with it. The texts are loaded
 * with the form: rules find problems before any reply has brought them.
 */
export function useProblemText(): ProblemText {
  useStore(codeTextsStore)
  useEffect(() => void loadCodeTexts(), [])
  return problemText
}

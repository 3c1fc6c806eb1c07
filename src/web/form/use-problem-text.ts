import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { Code } from '#contract/codes.ts'
import type { Problem as CodedProblem } from '#contract/errors.ts'
import { useStore } from '../browser/store.ts'
import { codeText, codeTextsStore, loadCodeTexts } from '../api/code-text.ts'

/** A problem found by a rule: a code with its values, or a text. */
export type Problem = string | CodedProblem<Code>

type ProblemText = (problem: Problem | undefined) => string | undefined

const problemText: ProblemText = (problem) => {
  if (typeof problem !== 'object') return problem
  if (problem.code in codeTextsStore.get()) return codeText(problem)
  void loadCodeTexts()
  return t`Please check this field`
}

/**
 * The text of a problem in the reader's language; a code has the same text as in the server's error. Rules find
 * problems before any reply has loaded the texts, so the form loads them while the browser is idle.
 */
export function useProblemText(): ProblemText {
  useStore(codeTextsStore)
  useEffect(() => {
    if (!('requestIdleCallback' in globalThis)) return undefined
    const request = requestIdleCallback(() => void loadCodeTexts())
    return () => cancelIdleCallback(request)
  }, [])
  return problemText
}

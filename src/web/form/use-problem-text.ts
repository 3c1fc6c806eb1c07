import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { Code } from '#contract/codes.ts'
import type { Problem as CodedProblem } from '#contract/errors.ts'
import { useStore } from '../browser/store.ts'
import { codeText, codeTextsStore, loadCodeTexts } from '../texts/code-text.ts'

/** What a rule finds wrong: a code with its values, or a text. */
export type Problem = string | CodedProblem<Code>

type ProblemText = (problem: Problem | undefined) => string | undefined

const problemText: ProblemText = (problem) => {
  if (typeof problem !== 'object') return problem
  if (problem.code in codeTextsStore.get()) return codeText(problem)
  void loadCodeTexts()
  return t`Please check this field`
}

/**
 * A problem in the reader's language; a code reads as it does when the server refuses with it. Rules find problems
 * before any reply has brought the texts: the form has them loaded while the browser is idle.
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

import type { Problem } from '#contract/refusals.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { levelsRefusals } from './levels.refusals.ts'

/** What a level may be called. Runs in the server and the dashboard. */
export function levelNameProblem(name: string): Problem<keyof typeof levelsRefusals> | undefined {
  if (name.trim() === '') return { code: 'SUBSCRIPTION_NAME_REQUIRED' }
  return hasInvisible(name.trim()) ? { code: 'SUBSCRIPTION_NAME_CHARACTERS' } : undefined
}

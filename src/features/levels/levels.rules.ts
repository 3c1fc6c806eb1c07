import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { levelsErrors } from './levels.errors.ts'

export const maxLevelNameLength = 50

/** The name of a level that a file names so. */
export const levelNameOf = (label: string): string =>
  label
    .slice(0, maxLevelNameLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()

/** Validates the name of a level. Runs in the server and the dashboard. */
export function levelNameProblem(name: string): Problem<keyof typeof levelsErrors> | undefined {
  if (name.trim() === '') return { code: 'SUBSCRIPTION_NAME_REQUIRED' }
  return hasInvisible(name.trim()) ? { code: 'SUBSCRIPTION_NAME_CHARACTERS' } : undefined
}

import { refuse } from '#contract/refusals.ts'
import { licensesRefusals } from './licenses.contract.ts'

type Level = number | string | { level: number } | undefined

interface LevelFields {
  subscription?: Level
  subscriptionLevel?: Level
  plan?: Level
  level?: Level
}

/** The level under any of its names: a number, its text, or the object that lists give (conflicts C01). */
export function levelOf(body: LevelFields): number | undefined {
  const level = body.subscription ?? body.subscriptionLevel ?? body.plan ?? body.level
  if (level === undefined) return undefined
  return typeof level === 'object' ? level.level : Number(level)
}

/** The key under either of its names. */
export function keyOf(body: { license?: string; licenseKey?: string }): string {
  return body.licenseKey ?? body.license ?? refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
}

/** The flag under its singular or plural name (conflicts C63). */
export const asksForUsers = (body: { deleteUser?: boolean; deleteUsers?: boolean }): boolean =>
  body.deleteUsers === true || body.deleteUser === true

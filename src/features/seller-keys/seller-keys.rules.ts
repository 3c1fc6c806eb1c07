import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { sellerKeysErrors } from './seller-keys.errors.ts'

/** Rules for the names and scopes of seller keys. Runs in the server and the dashboard. */

export const scopes = [
  'licenses:read',
  'licenses:write',
  'licenses:delete',
  'users:read',
  'users:write',
  'users:delete',
  'subscriptions:read',
  'subscriptions:write',
  'variables:read',
  'variables:write',
  'stats:read',
  'settings:read',
  'settings:write',
  'app-variables:read',
  'app-variables:write',
  'downloads:read',
  'downloads:write',
  'downloads:delete',
  'sessions:read',
  'sessions:delete',
  'logs:read',
] as const

export type Scope = (typeof scopes)[number]

export const maxKeyNameLength = 50
export const maxIpEntries = 100
export const maxOverlapHours = 72

/** An empty list grants full access. */
export const isFullAccess = (permissions: readonly string[]): boolean => permissions.length === 0

/** A validation error and the field it is about. */
type SellerKeyProblem<F extends string> = Problem<keyof typeof sellerKeysErrors, F> | undefined

export function permissionsProblem(permissions: readonly string[]): SellerKeyProblem<'permissions'> {
  const scope = permissions.find((permission) => !(scopes as readonly string[]).includes(permission))
  if (scope === undefined) return undefined
  return { code: 'SELLER_KEY_SCOPE_UNKNOWN', values: { scope }, field: 'permissions' }
}

export function keyNameProblem(name: string): SellerKeyProblem<'keyName'> {
  if (name.trim() === '') return { code: 'KEY_NAME_REQUIRED', field: 'keyName' }
  if (name.trim().length > maxKeyNameLength) {
    return { code: 'KEY_NAME_TOO_LONG', values: { max: maxKeyNameLength }, field: 'keyName' }
  }
  if (hasInvisible(name.trim())) return { code: 'KEY_NAME_CHARACTERS', field: 'keyName' }
  return undefined
}

/** One address or network per line, trimmed; empty lines are dropped. */
export const ipLines = (text: string | readonly string[]): string[] =>
  (typeof text === 'string' ? [text] : text)
    .flatMap((entry) => entry.split(/\r\n|\r|\n/))
    .map((line) => line.trim())
    .filter((line) => line !== '')

import { selectedAppStore } from '../api/app-selection.ts'
import { urlOf } from '../api/call.ts'
import type { CallInput, CallKey } from '../api/call-types.ts'
import { FromEnvironment } from './value-text.ts'

/** One call of the website API as another program would send it. */
export interface ApiCall {
  method: string
  url: string
  appId: string | undefined
  /** A repeat of it does nothing twice, by a key that is made for each attempt. */
  idempotent: boolean
  body: unknown
}

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  appId?: string
  idempotencyKey?: string | true
}

/**
 * Describes what `call(key, input)` sends: `apiCall('POST /create_user', { body, idempotencyKey: true })`.
 * `secrets` names the fields of the body that are never shown, each with the variable to read it from.
 */
export function apiCall<K extends CallKey>(
  key: K,
  input: CallInput<K>,
  secrets: Readonly<Record<string, string>> = {},
): ApiCall {
  const [method = 'GET', path = ''] = key.split(' ')
  const { appId, body, idempotencyKey, ...place } = input as LooseInput
  const hidden = Object.entries(secrets).map(([field, variable]) => [field, new FromEnvironment(variable)] as const)
  return {
    method,
    url: location.origin + urlOf(path, place),
    appId: appId ?? selectedAppStore.get()?.appId,
    idempotent: idempotencyKey !== undefined,
    body: typeof body === 'object' ? { ...body, ...Object.fromEntries(hidden) } : body,
  }
}

/** Where both languages find what only the browser holds. */
export const variables = { cookie: 'SIGNET_COOKIE', csrf: 'SIGNET_CSRF' } as const

import { selectedAppStore } from '../api/app-selection.ts'
import { urlOf } from '../api/call.ts'
import type { CallInput, CallKey } from '../api/call-types.ts'
import { FromEnvironment } from './value-text.ts'

/** A call of the website API as another program would make it. */
export interface ApiCall {
  method: string
  url: string
  appId: string | undefined
  /** Sends an `Idempotency-Key`, new for each attempt, so that a retry changes nothing twice. */
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
 * Describes the request of `call(key, input)`: `apiCall('POST /create_user', { body, idempotencyKey: true })`.
 * `secrets` names body fields that are never shown, each with the variable that holds its value.
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

/** Variables for values that only the browser has. */
export const variables = { cookie: 'SIGNET_COOKIE', csrf: 'SIGNET_CSRF' } as const

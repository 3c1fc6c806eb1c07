import { selectedAppStore } from '../api/app-selection.ts'
import { urlOf } from '../api/call.ts'
import type { CallInput, CallKey } from '../api/call-types.ts'
import { FromEnvironment } from './value-text.ts'

/** Parts of the input of a dashboard call, without the values that are never shown. */
export interface DashboardInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** A call as another program would make it. */
export interface ApiCall {
  method: string
  url: string
  /** The permission of the seller key that makes the call; undefined for a call with the session. */
  scope?: string | undefined
  /** Sent in a header; a seller key implies its app. */
  appId?: string | undefined
  /** Sends an `Idempotency-Key`, new for each attempt, so that a retry changes nothing twice. */
  idempotent: boolean
  /** The body is a form with a file, whose path is read from a variable. */
  upload?: boolean
  body: unknown
  /** The dashboard call that it is. */
  dashboard?: { key: string; input: DashboardInput }
}

interface LooseInput extends DashboardInput {
  appId?: string
  idempotencyKey?: string | true
}

/** Replaces the values of secret fields, however deep. */
function concealed(value: unknown, secrets: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const variable = Object.hasOwn(secrets, name) ? secrets[name] : undefined
      return [name, variable === undefined ? concealed(each, secrets) : new FromEnvironment(variable)]
    }),
  )
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
  const { appId, body: sent, idempotencyKey, ...place } = input as LooseInput
  const body = concealed(sent, secrets)
  return {
    method,
    url: location.origin + urlOf(path, place),
    appId: appId ?? selectedAppStore.get()?.appId,
    idempotent: idempotencyKey !== undefined,
    upload: key === 'POST /downloads/upload',
    body,
    dashboard: { key, input: { ...place, body } },
  }
}

/** Variables for values that are never shown or that only the browser has. */
export const variables = {
  cookie: 'SIGNET_COOKIE',
  csrf: 'SIGNET_CSRF',
  sellerKey: 'SELLER_KEY',
  file: 'SIGNET_FILE',
} as const

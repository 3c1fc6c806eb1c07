import { selectedAppStore } from './app-selection.ts'
import { CallFailed } from './call-failed.ts'
import type { CallArguments, CallInput, CallKey, CallOptions, CallReply } from './call-types.ts'
import { proveAgain } from './reauth.ts'
import { leaveIfSessionEnded } from './signed-out.ts'
import { loadCodeTexts } from './texts/code-text.ts'

const prefix = '/api/1.0/website'

/** The token of the latest reply; one for all calls of this page (DESIGN §4). */
let csrfToken: string | undefined

interface LooseInput extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export function urlOf(path: string, { params, query }: Pick<LooseInput, 'params' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return `${prefix}${filled}${search.size > 0 ? `?${search}` : ''}`
}

function headersOf(method: string, input: LooseInput): Headers {
  const headers = new Headers({ Accept: 'application/json' })
  const appId = input.appId ?? selectedAppStore.get()?.appId
  if (appId) headers.set('X-App-Id', appId)
  if (input.idempotencyKey) {
    headers.set('Idempotency-Key', input.idempotencyKey === true ? crypto.randomUUID() : input.idempotencyKey)
  }
  if (method !== 'GET' && csrfToken) headers.set('X-CSRF-Token', csrfToken)
  return headers
}

async function readReply(response: Response): Promise<Record<string, unknown>> {
  csrfToken = response.headers.get('X-CSRF-Token') ?? csrfToken
  try {
    const reply: unknown = await response.json()
    return typeof reply === 'object' && reply !== null ? (reply as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

async function fetchToken(signal: AbortSignal | undefined) {
  await readReply(await fetch(`${prefix}/check-auth`, { credentials: 'same-origin', signal }))
}

async function send(method: string, path: string, input: LooseInput): Promise<[Response, Record<string, unknown>]> {
  const headers = headersOf(method, input)
  let body: BodyInit | undefined
  if (input.body instanceof FormData) body = input.body
  else if (input.body !== undefined) {
    headers.set('Content-Type', 'application/json')
    body = JSON.stringify(input.body)
  }
  const init: RequestInit = { method, headers, body, credentials: 'same-origin', signal: input.signal }
  const response = await fetch(urlOf(path, input), init)
  return [response, await readReply(response)]
}

/**
 * One call of the website API, typed from the contracts:
 * `const { licenses, total } = await call('GET /licenses', { query: { page, search, limit }, signal })`.
 * Throws `CallFailed` for every failure but an abort.
 */
export async function call<K extends CallKey>(key: K, ...args: CallArguments<K>): Promise<CallReply<K>> {
  const [method = 'GET', path = ''] = key.split(' ')
  const given = (args[0] ?? {}) as CallInput<K> & LooseInput
  // A retry must repeat the attempt, not make a second one.
  const input = given.idempotencyKey === true ? { ...given, idempotencyKey: crypto.randomUUID() } : given
  try {
    if (method !== 'GET' && !csrfToken) await fetchToken(input.signal)
    let [response, reply] = await send(method, path, input)
    if (response.status === 403 && reply.code === 'CSRF_INVALID') {
      await fetchToken(input.signal)
      ;[response, reply] = await send(method, path, input)
    }
    if (response.status === 403 && reply.code === 'REAUTH_REQUIRED' && (await proveAgain())) {
      ;[response, reply] = await send(method, path, input)
    }
    leaveIfSessionEnded(key, response.status)
    // Both a refusal and a success are told in the reader's language.
    if (typeof reply.code === 'string') await loadCodeTexts()
    if (!response.ok || reply.success === false) throw new CallFailed(response.status, reply)
    return reply as CallReply<K>
  } catch (error) {
    if (error instanceof CallFailed || input.signal?.aborted) throw error
    throw new CallFailed(0, {})
  }
}

import { selectedAppStore } from './app-selection.ts'
import { CallFailed, isUnanswered } from './call-failed.ts'
import { dropEarlyReplies, takeEarlyReply } from './early-replies.ts'
import type { CallArguments, CallInput, CallKey, CallOptions, CallReply } from './call-types.ts'
import { probeServer, recordReply, watchCall } from './connection.ts'
import { localeStore } from '../browser/locale.ts'
import { newId } from '../browser/new-id.ts'
import { reauthPrompt } from './reauth.ts'
import { signInAgain, signInPrompt } from './session-end.ts'
import { readSettings, restoreSettings } from '../browser/stored.ts'
import { loadCodeTexts } from './code-text.ts'

const prefix = '/api/1.0/website'

/** CSRF token of the latest reply, shared by all calls of this page. */
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
  // Emails are sent in the language of the dashboard.
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': localeStore.get() })
  const appId = input.appId ?? selectedAppStore.get()?.appId
  if (appId) headers.set('X-App-Id', appId)
  if (input.idempotencyKey) {
    headers.set('Idempotency-Key', input.idempotencyKey === true ? newId() : input.idempotencyKey)
  }
  if (method !== 'GET' && csrfToken) headers.set('X-CSRF-Token', csrfToken)
  return headers
}

/** Throws if the body of a success breaks off, because the call was aborted or the connection cut, or isn't JSON. */
async function readReply(response: Response): Promise<Record<string, unknown>> {
  recordReply(response)
  csrfToken = response.headers.get('X-CSRF-Token') ?? csrfToken
  // A file, which is read elsewhere.
  if (response.bodyUsed) return {}
  try {
    return ((await response.json()) ?? {}) as Record<string, unknown>
  } catch (error) {
    if (!response.ok) return {}
    // Not JSON: a page from something between the browser and the server.
    throw error instanceof SyntaxError ? new CallFailed(response.status, {}) : error
  }
}

async function fetchToken(signal: AbortSignal | undefined): Promise<true> {
  await readReply(await fetch(`${prefix}/check-auth`, { credentials: 'same-origin', signal }))
  return true
}

/** Loaded when it is needed; without it, the reader still gets the error. */
const deselectIfMissing = (appId: string) =>
  import('./missing-app.ts').then(
    ({ checkMissingApp }) => checkMissingApp(appId),
    () => {},
  )

/** Recovery from an error before the same call is sent again, each at most once. */
const remedies: Record<string, (signal: AbortSignal | undefined) => Promise<boolean>> = {
  CSRF_INVALID: fetchToken,
  REAUTH_REQUIRED: () => reauthPrompt.ask(true),
  SESSION_REQUIRED: () => signInAgain(),
}

/** Calls that check for a session or create one: for them, a missing session is a valid result. */
const sessionCalls = new Set<string>([
  'GET /check-auth',
  'GET /reseller/check-auth',
  'POST /login',
  'POST /login/two-factor',
  'POST /logout',
  'POST /reseller/logout',
])

interface Answer {
  response: Response
  reply: Record<string, unknown>
  /** The app the call was sent for. */
  appId: string | null
}

/** A file has no time limit here: the code that sends or saves it watches its progress. */
const send = (method: string, path: string, input: LooseInput): Promise<Answer> =>
  input.transport || input.takeFile || input.isFile
    ? sendOnce(method, path, input)
    : watchCall(input.signal, (signal) => sendOnce(method, path, { ...input, signal }))

async function sendOnce(method: string, path: string, input: LooseInput): Promise<Answer> {
  const headers = headersOf(method, input)
  let body: BodyInit | undefined
  if (input.body instanceof FormData) body = input.body
  else if (input.body !== undefined) {
    headers.set('Content-Type', 'application/json')
    body = JSON.stringify(input.body)
  }
  const init: RequestInit = { method, headers, body, credentials: 'same-origin', signal: input.signal }
  const settings = method === 'GET' ? [] : readSettings()
  const url = urlOf(path, input)
  if (method !== 'GET') dropEarlyReplies()
  const early = method === 'GET' ? takeEarlyReply(url, headers.get('X-App-Id')) : undefined
  const response = await (early ?? (input.transport ?? fetch)(url, init))
  restoreSettings(settings)
  if (response.ok) await input.takeFile?.(response)
  if (input.isFile && response.ok) await response.body?.cancel()
  return { response, reply: await readReply(response), appId: headers.get('X-App-Id') }
}

/**
 * One call of the website API, typed from the contracts:
 * `const { licenses, total } = await call('GET /licenses', { query: { page, search, limit }, signal })`.
 * Throws `CallFailed` for every failure but an abort.
 */
export async function call<K extends CallKey>(key: K, ...args: CallArguments<K>): Promise<CallReply<K>> {
  const [method = 'GET', path = ''] = key.split(' ')
  const given = (args[0] ?? {}) as CallInput<K> & LooseInput
  // A retry must repeat the same attempt, also when another app has been selected meanwhile.
  const idempotencyKey = given.idempotencyKey === true ? newId() : given.idempotencyKey
  const input = { ...given, idempotencyKey, appId: given.appId ?? selectedAppStore.get()?.appId }
  const makesSession = sessionCalls.has(key)
  try {
    // The browser may have another account's session meanwhile.
    if (!makesSession && signInPrompt.question.get() && !(await signInAgain())) throw new CallFailed(401, {})
    if (method !== 'GET' && !csrfToken) await fetchToken(input.signal)
    const tried = new Set<string>()
    for (;;) {
      const { response, reply, appId } = await send(method, path, input)
      // FORBIDDEN: among these calls, only one that needs the other kind of session gets this error.
      const asksForSession = makesSession && (reply.code === 'SESSION_REQUIRED' || reply.code === 'FORBIDDEN')
      // Errors and successful writes are shown in the reader's language; successful reads and session checks never are.
      const needsText = !asksForSession && (method !== 'GET' || !response.ok)
      if (typeof reply.code === 'string' && needsText) await loadCodeTexts()
      if (response.ok && reply.success !== false) return reply as CallReply<K>
      const failure = new CallFailed(response.status, reply)
      const { code } = failure
      if (code === 'APP_NOT_FOUND' && appId) await deselectIfMissing(appId)
      const remedy = asksForSession ? undefined : remedies[code]
      if (!remedy || tried.has(code) || !(await remedy(input.signal))) throw failure
      tried.add(code)
    }
  } catch (error) {
    if (input.signal?.aborted) throw error
    const failure = error instanceof CallFailed ? error : new CallFailed(0, {})
    if (isUnanswered(failure)) void probeServer()
    throw failure
  }
}

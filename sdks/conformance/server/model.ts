import { createHash, randomBytes } from 'node:crypto'
import { commonErrors, cooldownErrors } from '#contract/common-errors.ts'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import type { Fields } from '../contract.ts'
import type { ReceivedRequest } from './received-request.ts'

export interface PlainReply {
  status: number
  fields: Fields
}

interface Session {
  username: string | undefined
  /** Epoch seconds. */
  expiresAt: number
  endedCode: string | undefined
}

interface StoredFile {
  fileName: string
  bytes: Buffer
}

const errors: Record<string, { status: number; message: string }> = {
  ...commonErrors,
  ...cooldownErrors,
  ...clientErrors,
}

class Rejected extends Error {
  readonly code: string
  readonly more: Fields

  constructor(code: string, more: Fields = {}) {
    super(code)
    this.code = code
    this.more = more
  }
}

/** A failure with the status and the text of the real server. */
export function failureOf(code: string, more: Fields = {}, status = errors[code]?.status ?? 403): PlainReply {
  const message = errors[code]?.message ?? 'Something new happened'
  return { status, fields: { success: false, message, code, requestId: `req-${code.toLowerCase()}`, ...more } }
}

export const password = 'correct horse'
const lifetime = null
const changing = new Set([
  'init',
  'license',
  'login',
  'register',
  'request-password-reset',
  'set-user-variable',
  'log',
  'upgrade',
  'change-password',
  'call-webhook',
  'logout',
  'renew',
])

/** A server that answers as the real one, with a few customers in memory. */
export class Model {
  readonly sessions = new Map<string, Session>()
  /** Calls that were done, with their fields, in order. */
  readonly done: { call: string; fields: Fields; session: string | undefined }[] = []
  readonly files = new Map<string, StoredFile>()
  readonly userVariables = new Map<string, string>([['theme', 'dark']])
  sessionSeconds = 3600
  appVersion = '1.0'
  /** The code that signed-in calls get, such as LICENSE_BANNED; also renewals. */
  userRejection: string | undefined
  /** A renewal after the session has expired gets this code. */
  renewRejection: string | undefined

  doneCount(call: string): number {
    return this.done.filter((each) => each.call === call).length
  }

  /** All sessions have just expired. */
  expireSessions(): void {
    for (const session of this.sessions.values()) session.expiresAt = 0
  }

  endSessions(code: string): void {
    for (const session of this.sessions.values()) session.endedCode = code
  }

  answer(request: ReceivedRequest, now: number): PlainReply {
    try {
      const fields = request.fields ?? reject(request.isSealed ? 'CANNOT_OPEN_SEALED_BODY' : 'MALFORMED_REQUEST')
      const more = this.#handle(request, fields, now)
      if (changing.has(request.call)) this.done.push({ call: request.call, fields, session: request.session })
      return { status: 200, fields: { success: true, message: 'Done', ...more } }
    } catch (error) {
      if (error instanceof Rejected) return failureOf(error.code, error.more)
      throw error
    }
  }

  #handle(request: ReceivedRequest, fields: Fields, now: number): Fields {
    if (request.call === 'init') return this.#init(fields, now)
    const session =
      this.sessions.get(request.session ?? '') ?? reject(request.session ? 'SESSION_ENDED' : 'SESSION_REQUIRED')
    if (session.endedCode) reject(session.endedCode)
    if (request.call === 'renew') return this.#renew(session, fields, now)
    if (session.expiresAt <= now) reject('SESSION_EXPIRED')
    const handler = this.#handlers[request.call] ?? reject('MALFORMED_REQUEST')
    return handler(fields, session, now)
  }

  readonly #handlers: Record<string, (fields: Fields, session: Session, now: number) => Fields> = {
    license: ({ key, hwid }, session, now) => {
      requireHwid(hwid)
      if (key === 'BANNED-KEY') reject('LICENSE_BANNED')
      if (typeof key !== 'string' || !/^KEY-\d+$/.test(key)) reject('LICENSE_NOT_FOUND')
      return this.#signIn(session, key, now)
    },
    login: ({ username, password: given, licenseKey, hwid }, session, now) => {
      requireHwid(hwid)
      if (typeof username !== 'string' || given !== password) reject('INVALID_CREDENTIALS')
      if (licenseKey !== undefined) requireNewKey(licenseKey)
      return this.#signIn(session, username, now)
    },
    register: ({ username, licenseKey, hwid }, session, now) => {
      requireHwid(hwid)
      if (licenseKey !== 'NEW-KEY') reject('LICENSE_NOT_FOUND')
      return this.#signIn(session, String(username), now)
    },
    heartbeat: (_fields, session) => this.#signedIn(session),
    upgrade: ({ licenseKey }, session) => {
      requireNewKey(licenseKey)
      // A new key cures only the end of the time.
      if (this.userRejection === 'SUBSCRIPTION_EXPIRED') this.userRejection = undefined
      const reply = this.#signedIn(session)
      return { ...reply, user: userOf(session.username ?? '', 2) }
    },
    variable: ({ name }, session) => {
      if (name === 'greeting') return { name, value: 'Olá 🦭' }
      this.#signedIn(session)
      if (name === 'secret') return { name, value: 'for customers' }
      return reject('VARIABLE_NOT_FOUND')
    },
    'user-variable': ({ name }, session) => {
      this.#signedIn(session)
      return { name, value: this.userVariables.get(String(name)) ?? reject('VARIABLE_NOT_FOUND') }
    },
    'set-user-variable': ({ name, value }, session) => {
      this.#signedIn(session)
      this.userVariables.set(String(name), String(value))
      return { name, value }
    },
    log: () => ({}),
    download: ({ id }) => {
      const file = this.files.get(String(id)) ?? reject('DOWNLOAD_NOT_FOUND')
      return this.offerOf(String(id), file)
    },
    'change-password': ({ password: given }, session) => {
      this.#signedIn(session)
      return given === password ? {} : reject('INVALID_CREDENTIALS')
    },
    'request-password-reset': () => ({}),
    'call-webhook': ({ id, params }) =>
      id === 'hook-1' ? { status: 202, body: JSON.stringify(params) } : reject('WEBHOOK_NOT_FOUND'),
    logout: (_fields, session) => {
      session.endedCode = 'SESSION_ENDED'
      return {}
    },
  }

  offerOf(id: string, { fileName, bytes }: StoredFile): Fields {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { fileName, size: bytes.length, sha256, url: `/api/1.0/download/${id}?ticket=t-${id}` }
  }

  #init({ version }: Fields, now: number): Fields {
    if (version !== this.appVersion) reject('VERSION_OUTDATED', { downloadUrl: 'https://example.com/download' })
    const session = randomBytes(32).toString('base64url')
    const expiresAt = now + this.sessionSeconds
    this.sessions.set(session, { username: undefined, expiresAt, endedCode: undefined })
    return { session, expiresAt, app: { name: 'My App', version: this.appVersion, webloaderUrl: null } }
  }

  #renew(session: Session, { hwid, version }: Fields, now: number): Fields {
    requireHwid(hwid)
    if (version !== this.appVersion) reject('VERSION_OUTDATED')
    const code = this.renewRejection ?? this.userRejection
    if (code) reject(code)
    return this.#signIn(session, session.username ?? reject('NOT_SIGNED_IN'), now)
  }

  #signIn(session: Session, username: string, now: number): Fields {
    session.username = username
    session.expiresAt = now + this.sessionSeconds
    return { user: userOf(username), expiresAt: session.expiresAt }
  }

  #signedIn({ username, expiresAt }: Session): Fields {
    if (username === undefined) reject('NOT_SIGNED_IN')
    if (this.userRejection) reject(this.userRejection)
    return { user: userOf(username), expiresAt }
  }
}

function reject(code: string, more?: Fields): never {
  throw new Rejected(code, more)
}

const requireNewKey = (licenseKey: unknown): void => {
  if (licenseKey === 'BANNED-KEY') reject('LICENSE_BANNED')
  if (licenseKey !== 'NEW-KEY') reject('LICENSE_NOT_FOUND')
}

const requireHwid = (hwid: unknown): void => {
  if (typeof hwid !== 'string' || hwid === '') reject('HWID_REQUIRED')
}

const userOf = (username: string, levels = 1): Fields => ({
  username,
  email: '',
  subscriptions: Array.from({ length: levels }, (_, n) => ({
    level: n + 1,
    name: n === 0 ? 'Basic' : 'Pro',
    expiresAt: n === 0 ? 4_000_000_000 : lifetime,
  })),
  createdAt: 1_700_000_000,
  lastLoginAt: 1_750_000_000,
})

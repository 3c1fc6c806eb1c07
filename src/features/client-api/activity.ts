import { createHmac } from 'node:crypto'
import { activityLog } from '#features/logs/logs.actions.ts'
import { maxMessageLength } from '#features/logs/logs.rules.ts'
import { webhookEvents } from '#features/webhooks/webhook-events.ts'
import { perServer } from '#server/per-server.ts'
import type { Services } from '#server/services.ts'
import type { ClientCall } from './client-calls.ts'
import type { Envelope } from './envelope.ts'
import type { LiveSession } from './live-sessions.ts'
import { hwidHashOf } from './sign-in.ts'

/** What goes well all the time says nothing; what is refused is always written down. */
const unremarkable: ReadonlySet<ClientCall> = new Set([
  'heartbeat',
  'variable',
  'user-variable',
  'set-user-variable',
  'call-webhook',
  'log',
])

/** A flood must not fill the log; its sender is counted elsewhere. */
const unrecordedCodes = new Set(['RATE_LIMITED', 'SERVER_BUSY', 'INTERNAL_ERROR', 'NONCE_REUSED'])

const signIns: ReadonlySet<ClientCall> = new Set(['license', 'login', 'register'])

export interface CallOutcome {
  call: ClientCall
  envelope: Envelope
  session: LiveSession | undefined
  /** What the program sent, once it was found to be of the call's shape. */
  body: unknown
  ip: string
  /** Why it was refused. */
  code?: string
  /** What the program was told about it. */
  message?: string
  /** Epoch milliseconds. */
  now: number
}

const machineKey = perServer(({ masterKey }) => masterKey.derive('machines of owners'))

/** A machine as all apps of an owner know it; another owner's apps have another hash for it. */
function machineHash(services: Services, ownerId: string, hwid: string): string {
  return createHmac('sha256', machineKey(services)).update(`${ownerId}\n${hwid}`).digest('base64url')
}

/** Writes a program's call into the log of its app: who, with what, from where, and why not. */
export function recordCall(services: Services, outcome: CallOutcome): void {
  const { call, envelope, session, body, ip, code, message, now } = outcome
  if (code === undefined ? unremarkable.has(call) : unrecordedCodes.has(code)) return
  const { username, key, licenseKey, hwid } = (body ?? {}) as Partial<
    Record<'username' | 'key' | 'licenseKey' | 'hwid', string>
  >
  const { app } = envelope
  if (code !== undefined && signIns.has(call)) {
    const { id: appId, owner_id: ownerId } = app.row
    const target = username ?? key ?? licenseKey ?? ''
    const event = { type: 'sign-in.refuse', appId, ownerId, at: Math.floor(now / 1000), target }
    webhookEvents(services).reportRejection({ ...event, details: { call, code, ip } })
  }
  activityLog(services).record({
    appId: app.row.id,
    at: Math.floor(now / 1000),
    call,
    code: code ?? '',
    message: message?.slice(0, maxMessageLength) ?? '',
    username: username ?? session?.user?.username ?? (call === 'license' ? key : undefined) ?? '',
    license: key ?? licenseKey ?? '',
    hwidHash: hwidHashOf(app, hwid) ?? session?.row.hwid_hash ?? '',
    machineHash: hwid ? machineHash(services, app.row.owner_id, hwid) : '',
    ip,
    session: session?.row.handle ?? '',
  })
}

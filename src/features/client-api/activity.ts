import { createHmac } from 'node:crypto'
import { activityLog } from '#features/logs/logs.actions.ts'
import { maxMessageLength } from '#features/logs/logs.rules.ts'
import { webhookEvents } from '#features/webhooks/webhook-events.ts'
import type { Services } from '#server/services.ts'
import type { ClientCall } from './client-calls.ts'
import type { Envelope } from './envelope.ts'
import type { LiveSession } from './live-sessions.ts'
import { hwidHashOf } from './program-checks.ts'

/** Routine successful calls are not logged; rejected ones always are. */
const unremarkable: ReadonlySet<ClientCall> = new Set([
  'heartbeat',
  'variable',
  'user-variable',
  'set-user-variable',
  'call-webhook',
  'log',
])

/** Limits the log entries during a flood; its sender is counted elsewhere. */
const unrecordedCodes = new Set(['RATE_LIMITED', 'SERVER_BUSY', 'INTERNAL_ERROR', 'NONCE_REUSED'])

const signIns: ReadonlySet<ClientCall> = new Set(['license', 'login', 'register'])

export interface CallOutcome {
  call: ClientCall
  envelope: Envelope
  session: LiveSession | undefined
  /** The input of the program, once it has been validated. */
  body: unknown
  ip: string
  /** Error code of a rejected call. */
  code?: string
  /** Error text sent to the program. */
  message?: string
  /** Of a rejected call. */
  requestId?: string
  /** Epoch milliseconds. */
  now: number
}

/** Hash of a machine, the same in all apps of an owner and different for each owner. */
function machineHash({ masterKey }: Services, ownerId: string, hwid: string): string {
  return createHmac('sha256', masterKey.macKey('machines of owners')).update(`${ownerId}\n${hwid}`).digest('base64url')
}

/** Writes a program's call to the log of its app: user, data, address and error. */
export function recordCall(services: Services, outcome: CallOutcome): void {
  const { call, envelope, session, body, ip, code, message, requestId, now } = outcome
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
    request: requestId ?? '',
  })
}

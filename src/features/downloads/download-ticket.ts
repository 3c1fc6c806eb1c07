import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MasterKey } from '#server/master-key.ts'

/**
 * What a signed-in program may fetch one file with, for a minute: it goes into an address, as browsers and tools need
 * it, so it opens nothing else and nothing later.
 */
const lifetimeSeconds = 60

interface Ticket {
  downloadId: string
  /** The session's handle. */
  session: string
  /** Epoch seconds. */
  now: number
}

export function newTicket(masterKey: MasterKey, { downloadId, session, now }: Ticket): string {
  const expiresAt = now + lifetimeSeconds
  return `${expiresAt}.${session}.${macOf(masterKey, { downloadId, session, expiresAt }).toString('base64url')}`
}

const shape = /^(\d{1,12})\.([\w-]{1,64})\.([\w-]{43})$/

/** The session that a ticket was made for; undefined when it is forged, of another file or too old. */
export function sessionOfTicket(
  masterKey: MasterKey,
  { ticket, downloadId, now }: { ticket: string; downloadId: string; now: number },
): string | undefined {
  const [, expiry, session, mac] = shape.exec(ticket) ?? []
  if (expiry === undefined || session === undefined || mac === undefined) return undefined
  const expiresAt = Number(expiry)
  const right = macOf(masterKey, { downloadId, session, expiresAt })
  const sent = Buffer.from(mac, 'base64url')
  const isRight = sent.length === right.length && timingSafeEqual(sent, right)
  return isRight && expiresAt > now ? session : undefined
}

const macOf = (masterKey: MasterKey, parts: { downloadId: string; session: string; expiresAt: number }): Buffer =>
  createHmac('sha256', masterKey.derive('download-ticket'))
    .update(`${parts.downloadId}\n${parts.session}\n${parts.expiresAt}`)
    .digest()

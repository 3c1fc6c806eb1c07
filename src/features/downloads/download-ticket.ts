import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MasterKey } from '#server/secrets/master-key.ts'

/**
 * Lets a signed-in program fetch one file for a minute. It is part of a URL, as browsers and tools require, so it is
 * valid for nothing else.
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

/** The session of a ticket; undefined if it is forged, expired or for another file. */
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
  createHmac('sha256', masterKey.macKey('download-ticket'))
    .update(`${parts.downloadId}\n${parts.session}\n${parts.expiresAt}`)
    .digest()

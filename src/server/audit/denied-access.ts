import { CallError } from '#contract/errors.ts'
import type { AccountActor, SellerKeyActor } from './actors.ts'
import { recordAudit } from './audit.ts'
import { epochSeconds, type Services } from '../services.ts'

interface Denied {
  actor: AccountActor | SellerKeyActor
  caller: { ip: string; requestId: string }
}

/** Repeated denials are recorded once a minute for each call, so that a caller cannot flood the audit log. */
const rowsPerMinute = 1

/** Records that an authenticated caller was denied access. */
export async function recordDeniedAccess(services: Services, { actor, caller }: Denied, call: string): Promise<void> {
  const { db, rateLimits, clock } = services
  try {
    const subject = `${actor.type} ${actor.id} ${call}`
    rateLimits.take({ purpose: 'denied access', subject, max: rowsPerMinute, seconds: 60 }, clock())
  } catch (error) {
    if (error instanceof CallError) return
    throw error
  }
  const context = { actor, caller, now: epochSeconds(services) }
  await db.write((tx) => recordAudit(tx, context, { act: 'access.denied', target: call }))
}

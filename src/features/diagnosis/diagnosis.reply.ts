import { fingerprintLength } from '#features/users/user-list.rules.ts'
import { logReply } from '#features/logs/logs.reply.ts'
import type { Diagnosis, LoggedEvent } from './diagnosis.actions.ts'
import type { PastEvent } from './causes.rules.ts'
import type { Decision } from './diagnosis.rules.ts'

const deviceOf = (hash: string) => hash.slice(0, fingerprintLength)

const eventReply = (event: PastEvent | null) => {
  if (!event) return null
  const { at: timestamp, ...rest } = event
  return { timestamp, ...rest }
}

const decisionReply = ({ cause, change, stored, sent, ...decision }: Decision) => ({
  ...decision,
  cause: eventReply(cause),
  change: eventReply(change),
  ...(stored !== undefined && { stored: deviceOf(stored) }),
  ...(sent !== undefined && { sent: deviceOf(sent) }),
})

const empty = {
  call: '',
  code: '',
  message: '',
  credential: '',
  licenseKey: '',
  device: '',
  ip: '',
  country: '',
  session: '',
  requestId: '',
  act: '',
  actorType: '',
  actorName: '',
  target: '',
  decision: null,
}

const logId = (id: number) => `log-${id}`

function loggedReply(event: LoggedEvent) {
  const { id, timestamp, call, code, message, credential, licenseKey, device, ip, country, session, requestId } =
    logReply(event.log)
  const decision = event.decision && decisionReply(event.decision)
  const shown = { call, code, message, credential, licenseKey, device, ip, country, session, requestId, decision }
  return { ...empty, id: logId(id), timestamp, ...shown }
}

export function diagnosisReply(diagnosis: Diagnosis) {
  const { rejection, verdict, customer, license, user, entitlements, hwidHash, ip, boundUsers, events, hasMore } =
    diagnosis
  return {
    rejection: rejection ? loggedReply(rejection) : null,
    verdict: verdict
      ? {
          state: verdict.state,
          code: verdict.code,
          since: verdict.since,
          eventId: verdict.logId === undefined ? '' : logId(verdict.logId),
          decision: verdict.decision && decisionReply(verdict.decision),
        }
      : null,
    customer: customer.username || customer.license,
    license: license
      ? {
          licenseKey: license.license,
          banned: license.banned === 1,
          used: license.used === 1,
          usedBy: license.used_by ?? '',
          createdAt: license.created_at,
          usedAt: license.used_at,
          expiresAt: license.expires_at,
        }
      : null,
    user: user
      ? {
          username: user.username,
          banned: user.banned === 1,
          paused: user.paused === 1,
          device: deviceOf(user.hwid_hash ?? ''),
          subscriptions: entitlements.map((each) => ({
            level: each.level,
            name: each.name,
            active: each.level_active === 1,
            expiresAt: each.expires_at,
          })),
        }
      : null,
    device: deviceOf(hwidHash),
    ip,
    boundUsers,
    events: events.map((event) => {
      if ('row' in event) {
        const { at: timestamp, ...action } = event.action
        return { ...empty, id: `act-${event.row.id}`, timestamp, ...action, target: event.row.target }
      }
      return loggedReply(event)
    }),
    hasMore,
  }
}

import { activityLog, addMessage } from '#features/logs/logs.actions.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import type { ProgramContext, ProgramHandler } from '../client-calls.ts'

/** Limits per minute for a session and for an app, so that a malicious program cannot fill the disk. */
export const maxOfSession = 30
export const maxOfApp = 3000

/** Writes a message of the program to the log of its app; durable when it is answered. */
export const log: ProgramHandler<'log'> = async (context) => {
  const { services, write, app, session, ip, body } = context
  limitMessages(services, context)
  // Keeps the order of its earlier entries.
  await activityLog(services).flush()
  await write((tx) =>
    addMessage(tx, {
      country: services.ipData.countryOf(ip),
      appId: app.row.id,
      at: epochSeconds(services),
      message: body.message,
      username: session.user?.username ?? '',
      hwidHash: session.row.hwid_hash ?? '',
      ip,
      session: session.row.handle,
    }),
  )
  return {}
}

function limitMessages({ rateLimits, clock }: Services, { app, session }: Pick<ProgramContext, 'app' | 'session'>) {
  const limits = [
    { purpose: 'messages of a session', subject: session.row.token_hash, max: maxOfSession },
    { purpose: 'messages of an app', subject: app.row.id, max: maxOfApp },
  ]
  for (const limit of limits) rateLimits.take({ ...limit, seconds: 60 }, clock())
}

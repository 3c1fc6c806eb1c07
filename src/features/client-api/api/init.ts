import { randomUUID } from 'node:crypto'
import { newSessionToken, sessionHash } from '#server/secrets/session-token.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkProgram } from '../program-checks.ts'

/** Start of a program: checks its version and file hash, and creates a session that is not signed in yet. */
export const init: ProgramHandler<'init'> = async (context) => {
  const { services, starts, sessions, app, nonce, body, ip, now } = context
  checkProgram(services, app, { ...body, ip })
  const { row } = app
  const session = newSessionToken()
  const expiresAt = now + row.session_expiry_seconds
  const started = {
    app_id: row.id,
    token_hash: sessionHash(session),
    handle: randomUUID(),
    user_id: null,
    license_id: null,
    ip,
    country: services.ipData.countryOf(ip),
    hwid_hash: null,
    created_at: now,
    last_heartbeat_at: now,
    expires_at: expiresAt,
    ended_code: null,
  }
  await starts.store({ app: row, session: started, nonce })
  sessions.add(started)
  return {
    message: 'Ready',
    session,
    expiresAt,
    app: { name: row.name, version: row.version, webloaderUrl: row.webloader_link || null },
  }
}

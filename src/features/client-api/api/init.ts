import { randomUUID } from 'node:crypto'
import { reject } from '#contract/errors.ts'
import { recordProgramStart } from '#features/apps/apps.actions.ts'
import { startClientSession } from '#features/session-store/session-store.actions.ts'
import { newSessionToken } from '#server/secrets/session-token.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { clientErrors } from '../client-api.errors.ts'

/** Start of a program: checks its version and file hash, and creates a session that is not signed in yet. */
export const init: ProgramHandler<'init'> = async ({ services, write, sessions, app: { row }, body, ip, now }) => {
  if (body.version !== row.version) {
    reject(clientErrors, 'VERSION_OUTDATED', { details: { version: row.version, downloadUrl: row.auto_update_link } })
  }
  if (row.hash_check === 1 && body.hash?.toLowerCase() !== row.hash_to_check) reject(clientErrors, 'HASH_MISMATCH')
  // An unknown country is not blocked.
  if (row.vpn_block === 1 && services.ipData.isVpn(ip)) reject(clientErrors, 'VPN_BLOCKED')
  const session = newSessionToken()
  const expiresAt = now + row.session_expiry_seconds
  const started = {
    app_id: row.id,
    token_hash: sessionHash(session),
    handle: randomUUID(),
    user_id: null,
    license_id: null,
    ip,
    hwid_hash: null,
    created_at: now,
    last_heartbeat_at: now,
    expires_at: expiresAt,
    ended_code: null,
  }
  await write(async (tx) => {
    await startClientSession(tx, started)
    await recordProgramStart(tx, row, now)
  })
  sessions.add(started)
  return {
    message: 'Ready',
    session,
    expiresAt,
    app: { name: row.name, version: row.version, webloaderUrl: row.webloader_link || null },
  }
}

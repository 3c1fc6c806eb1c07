import { epochSeconds, type Services } from '#server/services.ts'
import { accountCost } from '#server/passwords.ts'
import { newSessionToken, sessionHash } from '#server/session-cookies.ts'
import { createAccount } from './accounts.actions.ts'
import { hasAdmin, insertSetupToken } from './accounts.queries.ts'

const linkSeconds = 86_400

/** No default accounts (R-AUTH-13): the first admin comes from the settings or from a one-time link. */
export async function ensureFirstAdmin(services: Services): Promise<void> {
  const { db, config, log, passwords } = services
  if (await hasAdmin(db.read)) return
  const now = epochSeconds(services)
  if (config.firstAdmin) {
    const { username, email, password } = config.firstAdmin
    const passwordHash = await passwords.hash(password, accountCost)
    const setupToken = newSessionToken()
    await db.write(async (unit) => {
      if (await hasAdmin(unit.trx)) return
      await insertSetupToken(unit.trx, sessionHash(setupToken), now + linkSeconds)
      await createAccount(unit, { username, email, displayName: username, passwordHash, setupToken }, now)
    })
    log.info({ username }, 'made the first administrator')
    return
  }
  const token = newSessionToken()
  await db.write((unit) => insertSetupToken(unit.trx, sessionHash(token), now + linkSeconds))
  log.info(`No administrator yet. Make one within a day: ${config.publicUrl}/register?setup=${token}`)
}

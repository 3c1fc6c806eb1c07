import { CallError, type Problem, callError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { type Config, ConfigInvalid } from '#server/config/config.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { newSessionToken, sessionHash } from '#server/secrets/session-token.ts'
import { createAccount } from './accounts.actions.ts'
import { hasAdmin } from './accounts.reads.ts'
import { accountsErrors } from './accounts.errors.ts'
import { emailProblem, passwordProblem, setupLink, usernameProblem } from './accounts.rules.ts'
import { insertSetupToken, lockFirstAdmin } from './accounts.writes.ts'
import { isEasyToGuess } from './common-passwords.ts'

const linkSeconds = 86_400

/** There are no default accounts: the first administrator comes from the settings or a one-time link. */
export async function ensureFirstAdmin(services: Services): Promise<void> {
  const { db, config, log, passwords, settings } = services
  if (await hasAdmin(db.read)) return
  const now = epochSeconds(services)
  if (config.firstAdmin) {
    const { username, email, password } = config.firstAdmin
    const { platform } = await settings.current()
    await checkFirstAdmin(config.firstAdmin, platform.platformName)
    const passwordHash = await passwords.hash(password, accountHashing('this server'))
    const setupToken = newSessionToken()
    const isCreated = await db
      .write(async (tx) => {
        if (!(await offerSetup(tx, setupToken, now))) return false
        await createAccount(tx, { username, email, displayName: username, passwordHash, setupToken }, now)
        return true
      })
      .catch((error: unknown) => {
        // An account without administrator rights has the name or the address.
        if (error instanceof CallError) throw new ConfigInvalid(`ADMIN_USERNAME, ADMIN_EMAIL: ${error.message}`)
        throw error
      })
    if (isCreated) log.info({ username }, 'created the first administrator')
    return
  }
  const token = newSessionToken()
  if (!(await db.write((tx) => offerSetup(tx, token, now)))) return
  log.info(`There is no administrator yet. Create one within 24 hours: ${setupLink(config.publicUrl, token)}`)
}

/** Stores the token, unless there is an administrator meanwhile, from another process. */
async function offerSetup({ db }: Tx, token: string, now: number): Promise<boolean> {
  await lockFirstAdmin(db)
  if (await hasAdmin(db)) return false
  await insertSetupToken(db, sessionHash(token), now + linkSeconds)
  return true
}

type FirstAdmin = NonNullable<Config['firstAdmin']>

/** The first administrator must satisfy the rules of all accounts; the error is one line for `main`. */
async function checkFirstAdmin({ username, email, password }: FirstAdmin, platformName: string): Promise<void> {
  const isEasy = await isEasyToGuess(password, { username, email, platformName })
  const problems: Record<string, Problem<keyof typeof accountsErrors> | undefined> = {
    ADMIN_USERNAME: usernameProblem(username),
    ADMIN_EMAIL: emailProblem(email),
    ADMIN_PASSWORD: passwordProblem(password) ?? (isEasy ? { code: 'PASSWORD_TOO_COMMON' } : undefined),
  }
  for (const [name, problem] of Object.entries(problems)) {
    if (!problem) continue
    const { code, values } = problem
    throw new ConfigInvalid(`${name}: ${callError(accountsErrors, code, { values }).message}`)
  }
}

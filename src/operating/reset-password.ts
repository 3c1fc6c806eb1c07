import type { Database } from '#database/database.ts'
import { accountKind } from '#features/accounts/account-kind.ts'
import { createResetLink, lockForReset, type ResetLink } from '#features/accounts/password-reset.actions.ts'
import { resellerKind } from '#features/resellers/reseller-kind.ts'
import { recordAudit, systemContext } from '#server/audit/audit.ts'
import { CommandFailed } from './command-line.ts'

interface Reset {
  /** A username or an email address. */
  name: string
  publicUrl: string
  /** Epoch seconds. */
  now: number
}

/** A password reset link for any account that signs in at /login: an administrator, an owner or a reseller. */
export async function createResetLinkOf(
  db: Database,
  { name, publicUrl, now }: Reset,
): Promise<ResetLink & { username: string }> {
  const account = await accountKind.findByLogin(db.read, name)
  const named = account ?? (await resellerKind.findByLogin(db.read, name))
  if (!named) throw new CommandFailed(`No account has the username or email address ${name}`)
  return db.write(async (tx) => {
    const found = await lockForReset(tx, account ? accountKind : resellerKind, named.id)
    if (!found) throw new CommandFailed(`${named.username} can't sign in: the account is banned or not set up yet`)
    const { kind, person } = found
    const entry = { target: person.username, ownerId: kind.ownerIdOf(person) }
    await recordAudit(tx, systemContext(now), { act: `${kind.name}.create-reset-link`, ...entry })
    return { username: person.username, ...(await createResetLink(tx, publicUrl, found, now)) }
  })
}

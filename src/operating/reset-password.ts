import type { Database } from '#database/database.ts'
import { findAccountByLogin } from '#features/accounts/accounts.reads.ts'
import { createResetLink, lockAccountPerson, type ResetLink } from '#features/accounts/password-reset.actions.ts'
import { findResellerByLogin } from '#features/resellers/resellers.reads.ts'
import { resellerSignIn } from '#features/resellers/resellers.sign-in.ts'
import { recordAudit } from '#server/audit.ts'
import { CommandFailed } from './command-line.ts'

interface Reset {
  /** A username or an email address. */
  name: string
  publicUrl: string
  /** Epoch seconds. */
  now: number
}

/** A link for a new password of anybody who signs in at /login: an administrator, an owner or a reseller. */
export async function createResetLinkOf(
  db: Database,
  { name, publicUrl, now }: Reset,
): Promise<ResetLink & { username: string }> {
  const account = await findAccountByLogin(db.read, name)
  const found = account ?? (await findResellerByLogin(db.read, name))
  if (!found) throw new CommandFailed(`Nobody here has the name or the address ${name}`)
  const subject = { kind: account ? ('account' as const) : ('reseller' as const), id: found.id }
  return db.write(async (tx) => {
    const person = await (account ? lockAccountPerson(tx, found.id) : resellerSignIn.lock(tx, found.id))
    if (!person) throw new CommandFailed(`${found.username} can't sign in: banned, or not set up yet`)
    const context = { actor: { type: 'system' as const }, now, caller: { ip: '', requestId: '' } }
    const { username: target, ownerId } = person
    await recordAudit(tx, context, { act: `${subject.kind}.create-reset-link`, target, ownerId })
    return { username: target, ...(await createResetLink(tx, publicUrl, { subject, now })) }
  })
}

import { reject } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { lockNames } from '#database/row-lock.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { Services } from '#server/services.ts'
import { nameKey } from './accounts.reads.ts'
import { accountsErrors } from './accounts.errors.ts'
import { findByLogin } from './sign-in-kinds.ts'

/** Owners and resellers share a sign-in form, so usernames and email addresses are unique across both. */
export interface Names {
  username?: string | undefined
  email?: string | undefined
}

/** The current holder of the names, who may keep them. */
interface Claimed extends Names {
  exceptId?: string | undefined
}

const namesOf = ({ username, email }: Names): string[] => [username, email].filter((name) => name !== undefined)

/** Whether one of the names belongs to another owner or reseller. */
async function areNamesTaken(services: Services, db: Reader, { exceptId, ...names }: Claimed): Promise<boolean> {
  for (const name of namesOf(names)) {
    const found = await findByLogin(services, db, name)
    if (found && found.person.id !== exceptId) return true
  }
  return false
}

/** Before a transaction, which must check it again with `requireFreeNames`. */
export async function rejectTakenNames(
  services: Services,
  db: Reader,
  claimed: Claimed,
  field?: string,
): Promise<void> {
  if (await areNamesTaken(services, db, claimed))
    reject(accountsErrors, 'ACCOUNT_TAKEN', field === undefined ? {} : { details: { field } })
}

/** Rejects names of another owner or reseller; reserves them until the transaction ends. */
export async function requireFreeNames(services: Services, tx: Tx, claimed: Claimed, field?: string): Promise<void> {
  await lockNames(tx.db, namesOf(claimed).map(nameKey))
  await rejectTakenNames(services, tx.db, claimed, field)
}

const hourSeconds = 3600
/** Ratio of attempts to those that are given back. */
const attemptsFactor = 10

interface Claimant {
  services: Services
  caller: { ip: string }
}

function limitsOf({ services, caller }: Claimant, accountId: string | undefined) {
  const max = services.config.limits.registrationsPerHour
  const subjects = [`network ${networkOf(caller.ip)}`, ...(accountId === undefined ? [] : [`account ${accountId}`])]
  const each = (purpose: string, limit: number) =>
    subjects.map((subject) => ({ purpose, subject, max: limit, seconds: hourSeconds }))
  return { claims: each('registration', max), attempts: each('name attempts', max * attemptsFactor) }
}

/**
 * Counts or rejects an attempt to take a name, by network and, if signed in, by account, because each attempt reveals
 * whether the name is taken. Registration, resellers, set-up links and new addresses share one limit.
 */
export function limitClaims(claimant: Claimant, accountId?: string): void {
  const { rateLimits, clock } = claimant.services
  const { claims, attempts } = limitsOf(claimant, accountId)
  for (const limit of [...attempts, ...claims]) rateLimits.take(limit, clock())
}

/** In the transaction that takes the names: counts the attempt and rejects taken names. */
export async function claimNames(
  tx: Tx,
  claimant: Claimant,
  { accountId, field, ...claimed }: Claimed & { accountId: string; field: string },
): Promise<void> {
  limitClaims(claimant, accountId)
  await requireFreeNames(claimant.services, tx, claimed, field)
}

/** Gives back an attempt that used its name, such as a new reseller, up to ten times the limit. */
export function undoClaim(tx: Tx, claimant: Claimant, accountId: string): void {
  const { rateLimits, clock } = claimant.services
  tx.afterCommit(() => {
    for (const limit of limitsOf(claimant, accountId).claims) rateLimits.undo(limit, clock())
  })
}

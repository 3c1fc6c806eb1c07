import { randomUUID } from 'node:crypto'
import { type CallError, callError, reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import type { CreditScope } from './credits.reads.ts'
import { creditsErrors } from './credits.errors.ts'
import { maxBalance, maxCredits } from './credits.rules.ts'
import {
  ensureAccounts,
  insertTransfers,
  type LockedAccounts,
  lockAccounts,
  setAccountsClosed,
} from './credits.writes.ts'

/**
 * Ledger of resellers' credits: every movement is a transfer between two accounts in the transaction of its cause,
 * written after the accounts are locked. Callers write the audit rows.
 */

interface Movement extends CreditScope {
  amount: number
  level?: number | undefined
  now: number
}

async function lockOpenAccounts(tx: Tx, scope: CreditScope): Promise<LockedAccounts> {
  const locked = await lockAccounts(tx.db, scope)
  return locked && !locked.closed ? locked : reject(creditsErrors, 'CREDITS_CLOSED')
}

const requireCredits = (amount: number, min: number): void => {
  if (!Number.isInteger(amount) || amount < min || amount > maxCredits) reject(creditsErrors, 'CREDITS_INVALID')
}

/** Opens the accounts of a reseller who is assigned an app, or reopens them. */
export async function openCredits(tx: Tx, scope: CreditScope): Promise<void> {
  await ensureAccounts(tx.db, scope)
  await lockAccounts(tx.db, scope)
  await setAccountsClosed(tx.db, scope, false)
}

/** Adds credits; returns the new balance. */
export async function addCredits(tx: Tx, { amount, level, now, ...scope }: Movement): Promise<number> {
  requireCredits(amount, 1)
  const { balances } = await lockOpenAccounts(tx, scope)
  const balance = balances.balance + amount
  if (balance > maxBalance) reject(creditsErrors, 'CREDITS_TOO_MANY', { values: { max: maxBalance } })
  await insertTransfers(tx.db, scope, [
    {
      idempotency_key: randomUUID(),
      kind: 'addition',
      debit: 'source',
      credit: 'balance',
      amount,
      license_id: null,
      description: 'Credits added',
      level: level ?? null,
      created_at: now,
    },
  ])
  return balance
}

/**
 * Sets the balance by a transfer of the difference, made under the lock; none if it is already equal.
 * `before` is the balance the caller saw: if it has changed, `FIELD_CHANGED`.
 */
export async function setCredits(
  tx: Tx,
  { amount, before, level, now, ...scope }: Movement & { before?: number | undefined },
): Promise<number> {
  requireCredits(amount, 0)
  const { balances } = await lockOpenAccounts(tx, scope)
  const seen = before === undefined ? undefined : { credits: before }
  rejectFieldConflict({ before: seen, change: { credits: amount } }, { credits: balances.balance })
  await moveBalance(tx, scope, { difference: amount - balances.balance, description: 'Credits set', level, now })
  return amount
}

async function moveBalance(
  tx: Tx,
  scope: CreditScope,
  move: { difference: number; description: string; level?: number | undefined; now: number },
): Promise<void> {
  const { difference, description, level, now } = move
  if (difference === 0) return
  const [debit, credit] = difference > 0 ? (['source', 'balance'] as const) : (['balance', 'source'] as const)
  await insertTransfers(tx.db, scope, [
    {
      idempotency_key: randomUUID(),
      kind: 'set',
      debit,
      credit,
      amount: Math.abs(difference),
      license_id: null,
      description,
      level: level ?? null,
      created_at: now,
    },
  ])
}

/**
 * Takes back the remaining credits and closes the accounts; their history is kept. Returns the remaining
 * credits.
 */
export async function closeCredits(tx: Tx, { now, ...scope }: CreditScope & { now: number }): Promise<number> {
  const locked = await lockAccounts(tx.db, scope)
  if (!locked || locked.closed) return 0
  const left = locked.balances.balance
  await moveBalance(tx, scope, { difference: -left, description: 'App removed', now })
  await setAccountsClosed(tx.db, scope, true)
  return left
}

/** Pays for licenses in the transaction that creates them; returns the new balance. */
export async function payForLicenses(
  tx: Tx,
  { amount: count, price, level, now, ...scope }: Movement & { price: number },
): Promise<number> {
  const { balances } = await lockOpenAccounts(tx, scope)
  const cost = count * price
  const { balance } = balances
  if (balance < cost) reject(creditsErrors, 'CREDITS_MISSING', { values: { cost, balance } })
  if (cost === 0) return balance
  await insertTransfers(tx.db, scope, [
    {
      idempotency_key: randomUUID(),
      kind: 'deduction',
      debit: 'balance',
      credit: 'spent',
      amount: cost,
      license_id: null,
      description: count === 1 ? 'Generated 1 license' : `Generated ${count} licenses`,
      level: level ?? null,
      created_at: now,
    },
  ])
  return balance - cost
}

/** A license that is being deleted. */
export interface PaidLicense {
  id: number
  app_id: string
  license: string
  level: number
  used: number
  reseller_id: string | null
  /** Credits. */
  price: number | null
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * For locked licenses that are being deleted: with `refund`, the reseller is refunded for unused ones, exactly once;
 * other payments return to the source of credits. Returns the refunded licenses.
 */
export async function settleDeletedLicenses(
  tx: Tx,
  licenses: readonly PaidLicense[],
  { refund, now }: { refund: boolean; now: number },
): Promise<PaidLicense[]> {
  const refunded: PaidLicense[] = []
  for (const [scope, group] of paidByReseller(licenses)) {
    refunded.push(...(await settle(tx, scope, group, { refund, now })))
  }
  return refunded
}

/** Licenses that cost credits, by reseller: in a fixed order, to prevent deadlocks. */
function paidByReseller<L extends PaidLicense>(licenses: readonly L[]): [CreditScope, L[]][] {
  const paid = licenses.filter(({ reseller_id, price }) => reseller_id !== null && (price ?? 0) > 0)
  const groups = Map.groupBy(paid, ({ reseller_id }) => reseller_id as string)
  return [...groups]
    .toSorted(([one], [other]) => compare(one, other))
    .map(([resellerId, group]) => [{ appId: (group[0] as L).app_id, resellerId }, group])
}

async function settle(
  tx: Tx,
  scope: CreditScope,
  licenses: readonly PaidLicense[],
  { refund, now }: { refund: boolean; now: number },
): Promise<PaidLicense[]> {
  const locked = await lockAccounts(tx.db, scope)
  // The app is being removed, and the accounts are gone already.
  if (!locked) return []
  const isRefunded = ({ used }: PaidLicense) => refund && !locked.closed && used === 0
  const back = licenses.filter(isRefunded)
  const gone = sumOf(licenses.filter((license) => !isRefunded(license)))
  const refunds = back.map(({ id, license, level, price }) => ({
    idempotency_key: `refund ${scope.appId} ${id}`,
    kind: 'refund' as const,
    debit: 'spent' as const,
    credit: 'balance' as const,
    amount: price as number,
    license_id: id,
    description: `Refund of ${license}`,
    level,
    created_at: now,
  }))
  const settlement = {
    idempotency_key: randomUUID(),
    kind: 'settlement' as const,
    debit: 'spent' as const,
    credit: 'source' as const,
    amount: gone,
    license_id: null,
    description: 'Licenses deleted without a refund',
    level: null,
    created_at: now,
  }
  await insertTransfers(tx.db, scope, [...refunds, ...(gone > 0 ? [settlement] : [])])
  return back
}

/** A license that is being restored. */
export interface RestoredLicense extends PaidLicense {
  /** Whether deleting it refunded its price. */
  refunded: boolean
}

/**
 * Locks the accounts of these licenses. The function that it returns says why a license cannot be paid again, or takes its
 * price from what the accounts have for those after it.
 */
export async function lockPayers(
  tx: Tx,
  licenses: readonly RestoredLicense[],
): Promise<(license: RestoredLicense) => CallError | undefined> {
  const accounts = new Map<string, { balance: number; isClosed: boolean }>()
  for (const [scope] of paidByReseller(licenses)) {
    const locked = await lockAccounts(tx.db, scope)
    accounts.set(scope.resellerId, { balance: locked?.balances.balance ?? 0, isClosed: locked?.closed ?? true })
  }
  return ({ refunded, price, reseller_id: resellerId }) => {
    const account = accounts.get(resellerId ?? '')
    const cost = price ?? 0
    if (!refunded || !account || cost === 0) return undefined
    const { balance } = account
    if (account.isClosed) return callError(creditsErrors, 'CREDITS_CLOSED')
    if (cost > balance) return callError(creditsErrors, 'CREDITS_MISSING', { values: { cost, balance } })
    account.balance -= cost
    return undefined
  }
}

/** Reverts `settleDeletedLicenses`: refunded licenses are paid again, other payments return from their source. */
export async function payForRestored(tx: Tx, licenses: readonly RestoredLicense[], now: number): Promise<void> {
  for (const [scope, group] of paidByReseller(licenses)) {
    const [refunded, settled] = [true, false].map((flag) => group.filter((license) => license.refunded === flag)) as [
      RestoredLicense[],
      RestoredLicense[],
    ]
    const { length: count } = refunded
    const shared = { credit: 'spent' as const, license_id: null, level: null, created_at: now }
    const payment = {
      ...shared,
      idempotency_key: randomUUID(),
      kind: 'deduction' as const,
      debit: 'balance' as const,
      amount: sumOf(refunded),
      description: count === 1 ? 'Restored 1 license' : `Restored ${count} licenses`,
    }
    const settlement = {
      ...shared,
      idempotency_key: randomUUID(),
      kind: 'settlement' as const,
      debit: 'source' as const,
      amount: sumOf(settled),
      description: 'Licenses restored',
    }
    await insertTransfers(
      tx.db,
      scope,
      [payment, settlement].filter(({ amount }) => amount > 0),
    )
  }
}

export const sumOf = (licenses: readonly PaidLicense[]): number =>
  licenses.reduce((sum, { price }) => sum + (price ?? 0), 0)

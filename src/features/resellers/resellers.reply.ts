import type { Static } from 'typebox'
import type { Database, Reader } from '#database/database.ts'
import { listOwnAppIds } from '#features/apps/apps.reads.ts'
import { listBalances, listTransfers, type Transfer } from '#features/credits/credits.reads.ts'
import { listLevels } from '#features/levels/levels.reads.ts'
import { countLicensesOfResellers, type ResellerLicenseCount } from '#features/licenses/licenses.reads.ts'
import type { ResellerDomainReply } from './reseller-domains.contract.ts'
import type { ResellerReply, TransactionReply } from './resellers.contract.ts'
import { type Assignment, listAssignments, type Reseller, type ResellerDomain } from './resellers.reads.ts'
import { cnameTarget, licenseStats, domainRecordName, domainRecordValue } from './resellers.rules.ts'

export type DescribedReseller = Static<typeof ResellerReply>

/** An assigned app as the API returns it: credits, plans with costs, levels with names. */
export async function assignmentReply(db: Reader, assignment: Assignment, credits: number) {
  const { appId, appName, allowedPlans, planCosts, allowedLevels } = assignment
  const levels = await listLevels(db, appId)
  return {
    appId,
    appName,
    credits,
    totalCredits: credits,
    allowedPlans,
    planCosts,
    allowedSubscriptions: allowedLevels,
    subscriptions: Object.fromEntries(
      levels.map(({ level, name, active }) => [String(level), { name, active: active === 1 }]),
    ),
  }
}

/** The apps of these resellers with their credits, keyed by reseller. */
export async function assignedAppsOf(db: Reader, resellerIds: readonly string[]) {
  const assignments = await listAssignments(db, resellerIds)
  const balances = await listBalances(db, { appIds: [...new Set(assignments.map(({ appId }) => appId))], resellerIds })
  const balanceOf = ({ appId, resellerId }: Assignment) =>
    balances.find((each) => each.appId === appId && each.resellerId === resellerId)?.balance ?? 0
  const replies = await Promise.all(
    assignments.map(async (each) => ({
      resellerId: each.resellerId,
      app: await assignmentReply(db, each, balanceOf(each)),
    })),
  )
  return (resellerId: string) => replies.filter((each) => each.resellerId === resellerId).map(({ app }) => app)
}

/** The signed-in reseller, as returned by `check-auth`. */
export const signedInReseller = (reseller: Reseller) => ({
  user: {
    id: reseller.id,
    ownerid: reseller.owner_id,
    username: reseller.username,
    email: reseller.email ?? '',
    displayName: reseller.username,
    role: 'reseller' as const,
    createdAt: reseller.created_at,
    timeZone: null,
  },
  userType: 'reseller' as const,
})

/** One owner's resellers as the owner sees them; licenses are counted on `reports`. */
export async function describeResellers(
  db: Pick<Database, 'read' | 'reports'>,
  ownerId: string,
  resellers: readonly Reseller[],
): Promise<DescribedReseller[]> {
  const resellerIds = resellers.map(({ id }) => id)
  const appsOf = await assignedAppsOf(db.read, resellerIds)
  const counts = await countLicensesOfResellers(db.reports, {
    appIds: await listOwnAppIds(db.read, ownerId),
    resellerIds,
  })
  return resellers.map((reseller) => {
    const own = counts.filter(({ resellerId }) => resellerId === reseller.id)
    return resellerReply(reseller, appsOf(reseller.id), own)
  })
}

const sumOf = (counts: readonly ResellerLicenseCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

const resellerReply = (
  reseller: Reseller,
  assignedApps: DescribedReseller['assignedApps'],
  licenses: readonly ResellerLicenseCount[],
): DescribedReseller => ({
  id: reseller.id,
  resellerId: reseller.id,
  username: reseller.username,
  email: reseller.email ?? '',
  banned: reseller.banned === 1,
  createdDate: reseller.created_at,
  setUp: reseller.password_hash !== null,
  setupExpiresAt: reseller.setup_expires_at,
  twoFactor: reseller.totp_enabled_at !== null,
  assignedApps,
  stats: {
    assignedApps: assignedApps.length,
    totalCredits: assignedApps.reduce((sum, { credits }) => sum + credits, 0),
    ...licenseStats(sumOf(licenses.filter(({ used }) => used)), sumOf(licenses.filter(({ used }) => !used))),
    licensesByApp: [...Map.groupBy(licenses, ({ appId }) => appId)]
      .map(([appId, counts]) => ({ appId, licenses: sumOf(counts) }))
      .filter((each) => each.licenses > 0),
  },
})

/** A newly created reseller: no apps or licenses yet. */
export const newResellerReply = (reseller: Reseller): DescribedReseller => resellerReply(reseller, [], [])

export async function describeReseller(
  db: Pick<Database, 'read' | 'reports'>,
  reseller: Reseller,
): Promise<DescribedReseller> {
  const [described] = await describeResellers(db, reseller.owner_id, [reseller])
  return described as DescribedReseller
}

/** A credit transfer from the reseller's point of view, with a signed amount. */
export const transactionReply = (transfer: Transfer, appName: string): Static<typeof TransactionReply> => ({
  id: transfer.id,
  appName,
  transactionType: transfer.kind,
  description: transfer.description,
  subscriptionLevel: transfer.level,
  timestamp: transfer.created_at,
  amount: transfer.credit === 'balance' ? transfer.amount : -transfer.amount,
})

interface HistoryPage {
  resellerId: string
  apps: readonly { id: string; name: string }[]
  limit: number
  before?: number | undefined
}

/** Transfers in these apps with IDs below `before`, newest first; `next` is set if there are more. */
export async function historyReply(db: Reader, { resellerId, apps, limit, before }: HistoryPage) {
  const lists = await Promise.all(
    apps.map(async ({ id, name }) => {
      const transfers = await listTransfers(db, { appId: id, resellerId, limit: limit + 1, before })
      return transfers.map((transfer) => transactionReply(transfer, name))
    }),
  )
  const transactions = lists.flat().toSorted((one, other) => other.id - one.id)
  const history = transactions.slice(0, limit)
  return { history, next: transactions.length > limit ? (history.at(-1)?.id ?? null) : null }
}

export const domainReply = (domain: ResellerDomain, publicUrl: string): Static<typeof ResellerDomainReply> => ({
  domain: domain.domain,
  companyName: domain.company_name,
  logoUrl: domain.logo_url,
  primaryColor: domain.primary_color,
  secondaryColor: domain.secondary_color,
  proved: domain.proved_at !== null,
  recordMissingSince: domain.missing_since,
  lostAt: domain.lost_at,
  cnameTarget: cnameTarget(publicUrl),
  record: { name: domainRecordName(domain.domain), value: domainRecordValue(domain.proof) },
})

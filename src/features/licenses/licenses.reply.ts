import { pageCount } from '#contract/fields.ts'
import type { Static } from 'typebox'
import type { Database, Reader } from '#database/database.ts'
import type { RowCount } from '#database/searched-rows.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import type { LicenseReply, licensesContract } from './licenses.contract.ts'
import {
  countFiltered,
  countFilteredUpTo,
  countLicenses,
  type License,
  type LicenseCounts,
  type LicenseFilter,
  separateStatuses,
} from './licenses.reads.ts'
import { licenseOrder, type LicenseSort, listPage } from './license-pages.reads.ts'
import { defaultDurationDays, defaultMask, type LicenseSpec } from './licenses.rules.ts'

/** A license in the reply; `names` are the level names of the app. */
export function licenseReply(license: License, names: Map<number, string>): Static<typeof LicenseReply> {
  return {
    license: license.license,
    licenseKey: license.license,
    subscription: { level: license.level, name: names.get(license.level) ?? `Level ${license.level}` },
    level: license.level,
    expiry: license.duration_seconds,
    expiresAt: license.expires_at,
    notes: license.notes,
    generatedBy: license.generated_by ?? '',
    generatedByReseller: license.reseller_id !== null,
    used: license.used === 1,
    usedBy: license.used_by ?? '',
    usedAt: license.used_at,
    banned: license.banned === 1,
    creationDate: license.created_at,
  }
}

export type DescribedLicense = Static<typeof LicenseReply>

export async function describeLicense(db: Reader, license: License): Promise<DescribedLicense> {
  return licenseReply(license, await levelNames(db, license.app_id))
}

export interface LicensesPage {
  licenses: DescribedLicense[]
  total: number
  isMore: boolean
  totalPages: number
  counts: LicenseCounts
}

interface PageChoice {
  appId: string
  filter: LicenseFilter
  page: number
  limit: number
  now: number
  /** Count no further than this; without it, all matching rows are counted. */
  countUpTo?: number | undefined
  /** Newest first by default. */
  sort?: LicenseSort | undefined
}

export async function licensesPage(db: Database, { page, limit, sort, ...choice }: PageChoice): Promise<LicensesPage> {
  const { appId, filter, now, countUpTo } = choice
  const counts = await countLicenses(db.reports, appId, now)
  const { search, status: _counted, ...others } = filter
  const counted = !search?.trim() && Object.values(others).every((value) => value === undefined)
  const part = { offset: (page - 1) * limit, limit }
  const { total, isMore, ids }: RowCount = counted
    ? { total: countOf(counts, filter), isMore: false }
    : countUpTo === undefined
      ? { total: await countFiltered(db, choice), isMore: false }
      : await countFilteredUpTo(
          db,
          choice,
          countUpTo,
          search?.trim() && !licenseOrder(db.reports, filter, sort)
            ? { ...part, ascending: sort === 'created' }
            : undefined,
        )
  const rows = await listPage(db, { ...choice, ...part, total, isMore, ids, sort })
  const names = await levelNames(db.read, appId)
  const licenses = rows.map((row) => licenseReply(row, names))
  return { licenses, total, isMore, totalPages: pageCount(total, limit), counts }
}

function countOf(counts: LicenseCounts, { status }: LicenseFilter): number {
  const statuses = separateStatuses(status)
  return statuses.length === 0 ? counts.total : statuses.reduce((sum, each) => sum + counts[each], 0)
}

/** The licenses to create, with defaults for omitted fields. */
export const licenseSpecOf = (body: Static<typeof licensesContract.createLicenses.body>): LicenseSpec => ({
  amount: body.amount,
  mask: body.mask ?? defaultMask,
  lowercase: body.lowercase ?? true,
  uppercase: body.uppercase ?? true,
  level: body.subscription,
  notes: body.notes ?? '',
  expiryUnit: body.expiryUnit ?? 'days',
  duration: body.duration ?? defaultDurationDays,
})

/** The changes of an edit; omitted fields keep their value. */
export const licenseChangeOf = (
  body: Pick<Static<typeof licensesContract.updateLicense.body>, 'subscription' | 'notes' | 'expiry'>,
) => ({
  level: body.subscription,
  notes: body.notes,
  expiry: body.expiry,
})

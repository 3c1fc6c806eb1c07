import { createHash } from 'node:crypto'
import type { Reader } from '#database/database.ts'
import { listEntitlementRows } from '#features/entitlements/entitlements.reads.ts'
import { heldShare } from '#features/entitlements/entitlements.rules.ts'
import type { LicenseColumns } from '#features/licenses/imported-licenses.actions.ts'
import { findLicensesById, type License } from '#features/licenses/licenses.reads.ts'
import type { UserColumns } from '#features/users/imported-users.actions.ts'
import { findUsersById, type User } from '#features/users/users.reads.ts'
import { listVariables } from '#features/variables/variables.reads.ts'
import type { RowStates } from '#server/bulk/undo-log.ts'

/** What undoing an import needs: a digest of each row as the import left it, and what an overwritten row was. */

export type PriorUser = Required<UserColumns> & {
  /** `held` is what one consisted of, if a license of it was banned. */
  subscriptions: { level: number; expires_at: number | null; held?: string | undefined }[]
  /** Levels that the import added. */
  added: number[]
}

export interface ImportedState {
  /** Of the row as the import left it; absent before the import. */
  digest?: string
  /** Of a created user, the license that was created with it. */
  licenseId?: number
  license?: LicenseColumns
  user?: PriorUser
}

const digestOf = (values: unknown): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16)

const licenseDigest = (license: License): unknown => {
  const { level, duration_seconds, notes, used, used_by_user_id, expires_at, banned } = license
  return [level, duration_seconds, notes, used, used_by_user_id, expires_at, banned]
}

/** Without the address, which the server removes by itself, and which changes only with a sign-in. */
const userDigest = (user: User): unknown => {
  const { username, password_hash, email, hwid_hash, banned, paused, paused_at, last_login_at } = user
  return [username, password_hash, email, hwid_hash, banned, paused, paused_at, last_login_at]
}

/** As earlier versions have recorded it. */
const userDigestWithAddress = (user: User): unknown => {
  const { username, password_hash, email, hwid_hash, ip, banned, paused, paused_at, last_login_at } = user
  return [username, password_hash, email, hwid_hash, ip, banned, paused, paused_at, last_login_at]
}

/** Digests of existing licenses, by ID. */
export async function digestLicenses(db: Reader, appId: string, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = ids.length > 0 ? await findLicensesById(db, appId, ids) : []
  return new Map(rows.map((row) => [Number(row.id), digestOf(licenseDigest(row))]))
}

interface UserToDigest {
  id: number
  licenseId?: number | undefined
  /** The digest to compare with, which an earlier version may have recorded. */
  recorded?: string | undefined
}

/** Digests of existing users with their subscriptions, variables and license, by ID. */
export async function digestUsers(
  db: Reader,
  appId: string,
  users: readonly UserToDigest[],
): Promise<Map<number, string>> {
  if (users.length === 0) return new Map()
  const ids = users.map(({ id }) => id)
  const rows = await findUsersById(db, appId, ids)
  const subscriptions = Map.groupBy(await listEntitlementRows(db, appId, ids), ({ user_id }) => Number(user_id))
  const variables = Map.groupBy(await listVariables(db, appId, ids), ({ user_id }) => Number(user_id))
  const licenses = await digestLicenses(
    db,
    appId,
    users.flatMap(({ licenseId }) => licenseId ?? []),
  )
  const of = new Map(users.map((user) => [user.id, user]))
  return new Map(
    rows.map((row) => {
      const id = Number(row.id)
      const levels = (subscriptions.get(id) ?? [])
        .map(({ level, expires_at, license_id, shares }) => [
          level,
          expires_at,
          license_id,
          ...(shares?.includes(heldShare) ? [shares] : []),
        ])
        .toSorted(([one], [other]) => Number(one) - Number(other))
      const values = (variables.get(id) ?? []).map(({ name, data }) => [name, data])
      const { licenseId = 0, recorded } = of.get(id) ?? {}
      const more = [levels, values, licenses.get(licenseId)]
      const former = recorded === undefined ? undefined : digestOf([userDigestWithAddress(row), ...more])
      return [id, former !== undefined && former === recorded ? former : digestOf([userDigest(row), ...more])]
    }),
  )
}

type Before = ReadonlyMap<number, Pick<ImportedState, 'license' | 'user'>>

/** The states of licenses that the transaction has created and overwritten. */
export async function licenseStates(
  db: Reader,
  appId: string,
  { created, before }: { created: readonly number[]; before: Before },
): Promise<RowStates<ImportedState>[]> {
  const digests = await digestLicenses(db, appId, [...created, ...before.keys()])
  return [...digests].map(([id, digest]) => ({ id, before: before.get(id) ?? {}, after: { digest } }))
}

/** The same for users. */
export async function userStates(
  db: Reader,
  appId: string,
  { created, before }: { created: readonly { id: number; licenseId?: number | undefined }[]; before: Before },
): Promise<RowStates<ImportedState>[]> {
  const licenseOf = new Map(created.map(({ id, licenseId }) => [id, licenseId]))
  const users = [...created, ...[...before.keys()].map((id) => ({ id }))]
  const digests = await digestUsers(db, appId, users)
  return [...digests].map(([id, digest]) => {
    const licenseId = licenseOf.get(id)
    const own = licenseId === undefined ? {} : { licenseId }
    return { id, before: { ...before.get(id), ...own }, after: { digest, ...own } }
  })
}

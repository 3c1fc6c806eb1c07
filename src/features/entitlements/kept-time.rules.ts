import { type ChangedDuration, isLonger, movedEnd } from './entitlements.rules.ts'
import {
  hasShare,
  type SharedTime,
  takenTime,
  withBan,
  withDeleted,
  withDuration,
  withoutLicense,
  withSeconds,
  withUsedUp,
} from './license-shares.rules.ts'

// A deleted user's subscriptions lie in the bin with the user. What happens to a license meanwhile changes them as well.

export type KeptTime = SharedTime & { level: number }

interface OfLicense {
  license: number
  /** From `userClock`. */
  clock: number
}

/** A license with its level and ban, as it is now. */
interface OfLevel extends OfLicense {
  level: number
  isBanned: boolean
}

const ofLicense = <R extends KeptTime>(rows: readonly R[], license: number, change: (row: R) => SharedTime): R[] =>
  rows.map((row) => (hasShare(row, license) ? { ...row, ...change(row) } : row))

/** With a share of the license, if it was used up before the user was granted time again. */
function withShareOf<R extends KeptTime>(rows: readonly R[], { license, clock, level, isBanned }: OfLevel): R[] {
  if (rows.some((row) => hasShare(row, license))) return [...rows]
  return rows.map((row) => (row.level === level ? { ...row, ...withUsedUp(row, license, isBanned, clock) } : row))
}

/** While the license is banned, or once it no longer is. */
export const withLicenseBan = <R extends KeptTime>(
  rows: readonly R[],
  { license, clock }: OfLicense,
  isBanned: boolean,
): R[] => ofLicense(rows, license, (row) => withBan(row, license, isBanned, clock))

/** After the license was deleted. What it alone has left stays as it is. */
export const withLicenseGone = <R extends KeptTime>(rows: readonly R[], { license, clock }: OfLicense): R[] =>
  ofLicense(rows, license, (row) => (row.shares ? (withDeleted(row, license, clock).time ?? row) : row))

/** After time was added to the license. */
export const withAddedTime = <R extends KeptTime>(
  rows: readonly R[],
  { seconds, ...of }: OfLevel & { seconds: number },
): R[] => ofLicense(withShareOf(rows, of), of.license, (row) => withSeconds(row, of.license, seconds, of.clock))

/** After the license got another duration. */
export const withOtherDuration = <R extends KeptTime>(
  rows: readonly R[],
  { duration, ...of }: OfLevel & { duration: ChangedDuration },
): R[] =>
  ofLicense(isLonger(duration) ? withShareOf(rows, of) : rows, of.license, (row) =>
    row.shares
      ? withDuration(row, of.license, duration, of.clock)
      : { ...row, expires_at: movedEnd(row.expires_at, duration) },
  )

/** After the license got another level, which is in none of the rows. */
export const withOtherLevel = <R extends KeptTime>(
  rows: readonly R[],
  { license, clock, level }: OfLicense & { level: number },
): R[] =>
  rows.flatMap((row) => {
    if (!hasShare(row, license)) return [row]
    if (!row.shares) return [{ ...row, level }]
    const { time, taken } = withoutLicense(row, license, clock)
    const { share: _share, ...moved } = taken ? takenTime(taken, clock) : { share: undefined, ...row }
    return [...(time ? [{ ...row, ...time }] : []), ...(taken ? [{ ...row, ...moved, level }] : [])]
  })

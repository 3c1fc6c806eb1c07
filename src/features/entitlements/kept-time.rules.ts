import { type ChangedDuration, movedEnd } from './entitlements.rules.ts'
import {
  hasShare,
  type SharedTime,
  takenTime,
  withDuration,
  withoutLicense,
  withSeconds,
} from './license-shares.rules.ts'

// A deleted user's subscriptions lie in the bin with the user. What happens to a license meanwhile changes them as well.

export type KeptTime = SharedTime & { level: number }

interface OfLicense {
  license: number
  /** From `userClock`. */
  clock: number
}

const ofLicense = <R extends KeptTime>(rows: readonly R[], license: number, change: (row: R) => SharedTime): R[] =>
  rows.map((row) => (hasShare(row, license) ? { ...row, ...change(row) } : row))

/** After time was added to the license. */
export const withAddedTime = <R extends KeptTime>(
  rows: readonly R[],
  { license, clock, seconds }: OfLicense & { seconds: number },
): R[] => ofLicense(rows, license, (row) => withSeconds(row, license, seconds, clock))

/** After the license got another duration. */
export const withOtherDuration = <R extends KeptTime>(
  rows: readonly R[],
  { license, clock, duration }: OfLicense & { duration: ChangedDuration },
): R[] =>
  ofLicense(rows, license, (row) =>
    row.shares
      ? withDuration(row, license, duration, clock)
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

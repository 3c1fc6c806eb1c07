/** What one of several licenses gave of an entitlement's time. */
export interface LicenseShare {
  /** Null for time that was given by hand. */
  license: number | null
  /** Null never ends. While a share never ends, the time of the others stands still. */
  seconds: number | null
  /** Its license is banned or gone: the entitlement ends earlier by these seconds. */
  held?: true
  /** Its license is deleted. The share stays, because the license may come back. */
  gone?: true
}

/** Time passes for held shares as well: once the rest has ended, what they have left becomes less. */
export function heldAfter(shares: readonly LicenseShare[], passed: number): LicenseShare[] {
  let rest = passed
  return shares.map((share) => {
    if (!share.held || share.seconds === null) return share
    const used = Math.min(rest, share.seconds)
    rest -= used
    return { ...share, seconds: share.seconds - used }
  })
}

/** Seconds that have passed since the rest ended. */
export const passedSince = (end: number | null, clock: number): number => (end === null ? 0 : Math.max(0, clock - end))

/** The shares of which `heldAfter` leaves these. */
export function heldBefore(shares: readonly LicenseShare[], passed: number): LicenseShare[] {
  const first = shares.findIndex((share) => share.held && share.seconds !== null)
  return shares.map((share, index) => (index === first ? { ...share, seconds: Number(share.seconds) + passed } : share))
}

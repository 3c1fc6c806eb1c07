/** Seconds that are left of a license; null never ends. */
interface Part {
  license: number
  left: number | null
}

/** What a subscription consists of, in the order in which it is used. */
interface Subscription {
  parts: Part[]
  /** Seconds that were given by hand, which are used first. */
  byHand: number
  /** One license has all parts, but was redeemed beside time given by hand. */
  isShared?: boolean
}

/** What waits for a deleted license that no subscription remembers by then. */
interface Waiting extends Subscription {
  /** When it was taken; null in a pause, in which no time passes for it. */
  since: number | null
}

const isAlone = ({ parts, isShared = false }: Subscription): boolean => parts.length === 1 && !isShared

/**
 * What LIC-44 to LIC-64 promise of the time of one user on one level. It counts down what is left and stores no ends, so it
 * shares nothing with the code that it judges.
 */
export class ReferenceTime {
  #now = 0
  #pausedAt: number | null = null
  #isUserDeleted = false
  #time: Subscription = { parts: [], byHand: 0 }
  readonly #redeemedAt = new Map<number, number>()
  readonly #banned = new Set<number>()
  readonly #deleted = new Set<number>()
  readonly #waiting = new Map<number, Waiting>()

  /** Of what one license has given alone, all time is that license's, even while it is banned. */
  #isUsed(time: Subscription, { license }: Part): boolean {
    return isAlone(time) || !(this.#banned.has(license) || this.#deleted.has(license))
  }

  #leftOf(time: Subscription): number {
    const using = time.parts.filter((part) => this.#isUsed(time, part))
    return using.reduce((sum, { left }) => sum + (left ?? Infinity), time.byHand)
  }

  get left(): number {
    return this.#leftOf(this.#time)
  }

  leftOfLicense(license: number): number | null | undefined {
    return this.#time.parts.find((part) => part.license === license)?.left
  }

  /** Seconds that are left of each license, and of the time given by hand; what has none left is omitted. */
  get sources(): Record<string, number | null> {
    const parts = this.#time.parts.filter(({ license, left }) => left !== 0 && !this.#deleted.has(license))
    const byHand = this.#time.byHand
    return Object.fromEntries([
      ...parts.map(({ license, left }) => [String(license), left]),
      ...(byHand > 0 ? [['byHand', byHand]] : []),
    ])
  }

  pass(seconds: number): void {
    this.#now += seconds
    if (this.#pausedAt === null) this.#use(this.#time, seconds, true)
  }

  /** What was given first is used first, and what bans and deletions hold once nothing else is left. */
  #use(time: Subscription, seconds: number, withHeld: boolean): void {
    if (this.#leftOf(time) === Infinity) return
    const using = time.parts.filter((part) => this.#isUsed(time, part))
    const held = withHeld ? time.parts.filter((part) => !using.includes(part)) : []
    let rest = Math.max(0, seconds - time.byHand)
    time.byHand = Math.max(0, time.byHand - seconds)
    for (const part of [...using, ...held]) {
      if (part.left === null) continue
      const used = Math.min(rest, part.left)
      part.left -= used
      rest -= used
    }
  }

  redeem(license: number, seconds: number): void {
    this.#redeemedAt.set(license, this.#now)
    const parts = this.#time.parts.filter(({ left }) => left !== 0)
    this.#time.parts = [...parts, { license, left: seconds === 0 ? null : seconds }]
    this.#time.isShared = this.#time.byHand > 0
  }

  extend(seconds: number): void {
    const [only] = this.#time.parts
    if (only && isAlone(this.#time) && only.left !== null) only.left += seconds
    else this.#time.byHand += seconds
  }

  subtract(seconds: number): void {
    this.#use(this.#time, seconds, false)
  }

  addTo(license: number, seconds: number): void {
    const { parts } = this.#time
    this.#settle()
    const part = parts.find((each) => each.license === license)
    if (part && part.left !== null) part.left = Math.max(0, part.left + seconds)
    const isUsedUp = !part && this.#redeemedAt.has(license) && parts.length > 0
    if (isUsedUp && seconds > 0) parts.unshift({ license, left: seconds })
  }

  /** What a license gives alone ends no earlier than the license, or than it ended before. */
  changeDuration(license: number, { from, to }: { from: number; to: number }): void {
    const left = this.leftOfLicense(license)
    this.addTo(license, to - from)
    const [only] = this.#time.parts
    if (!only || !isAlone(this.#time) || only.license !== license || only.left === null || !left) return
    const untilEnd = (this.#redeemedAt.get(license) ?? 0) + to - (this.#pausedAt ?? this.#now)
    only.left = Math.max(only.left, Math.min(left, untilEnd))
  }

  setPaused(isPaused: boolean): void {
    this.#pausedAt = isPaused ? (this.#pausedAt ?? this.#now) : null
  }

  setBanned(license: number, isBanned: boolean): void {
    if (isBanned) this.#banned.add(license)
    else this.#banned.delete(license)
    if (!isBanned) this.#settle()
  }

  /** Once the time given by hand is used up, a license has the rest alone. */
  #settle(): void {
    if (this.#time.byHand === 0) this.#time.isShared = false
  }

  deleteLicense(license: number): void {
    const former = this.#copy()
    this.#deleted.add(license)
    if (!this.#isUserDeleted) this.#keep(license, former)
  }

  /** With the last license of a subscription goes all of it; others keep their place in it. */
  #keep(license: number, former: Subscription, isUserBack = false): void {
    const part = former.parts.find((each) => each.license === license)
    if (!part) return
    const since = this.#pausedAt === null ? this.#now : null
    const isLast = this.#time.byHand === 0 && this.#time.parts.every((each) => this.#deleted.has(each.license))
    const isWhole = isLast && !isUserBack
    this.#waiting.set(license, isWhole ? { ...former, since } : { parts: [{ ...part }], byHand: 0, since })
    if (isLast) this.#time = { parts: [], byHand: 0 }
  }

  restoreLicense(license: number): void {
    this.#deleted.delete(license)
    const waiting = this.#waiting.get(license)
    this.#waiting.delete(license)
    if (!waiting || this.leftOfLicense(license) !== undefined) return
    const { since, ...time } = waiting
    if (since !== null) this.#use(time, Math.max(0, (this.#pausedAt ?? this.#now) - since), true)
    if (this.#time.parts.length === 0) this.#time = time
    else this.#time.parts.push(...time.parts.filter((part) => part.license === license))
  }

  deleteUser(): void {
    this.#isUserDeleted = true
  }

  /** What licenses gave that were deleted meanwhile waits for each of them. */
  restoreUser(): void {
    this.#isUserDeleted = false
    const former = this.#copy()
    for (const { license } of former.parts) if (this.#deleted.has(license)) this.#keep(license, former, true)
  }

  #copy(): Subscription {
    return { ...this.#time, parts: this.#time.parts.map((part) => ({ ...part })) }
  }
}

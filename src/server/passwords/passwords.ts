import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { Shares } from '../network/shares.ts'
import { bcryptCost } from './bcrypt-hash.ts'
import { BcryptThread } from './bcrypt-thread.ts'
import { type HashingCost, hashingLimits, type HashingQueue, type HashingUse } from './hashing-use.ts'
import { hashingThreads } from './thread-pool.ts'
import { Turns } from './turns.ts'

const argon2Async = promisify(argon2)

const tagLength = 32

/** Access to a stored password hash. */
export interface HashStore {
  use: HashingUse
  /** Highest cost of imported bcrypt hashes among those of the same kind, if there are any (IMP-16). */
  importedCost?: number | undefined
  /** False if the hash has changed since it was read. */
  replace: (hash: string) => Promise<boolean>
  read: () => Promise<string | null | undefined>
}

interface HashParameters extends HashingCost {
  isPeppered: boolean
}

/** PHC string format; `keyid` identifies the only pepper. */
const prefixOf = ({ memoryKiB, passes, isPeppered }: HashParameters): string =>
  `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1${isPeppered ? ',keyid=pepper' : ''}$`

const hashShape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1(,keyid=pepper)?\$([\w-]+)\$([\w-]+)$/

function readHash(hash: string | null | undefined): (HashParameters & { salt: Buffer; tag: Buffer }) | undefined {
  const [, memory, passes, keyid, salt = '', tag = ''] = hashShape.exec(hash ?? '') ?? []
  if (!memory || !passes) return undefined
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    isPeppered: keyid !== undefined,
    salt: Buffer.from(salt, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  }
}

/**
 * Argon2id behind short queues: a flood of sign-ins fills the share of its subject instead of using up the machine, and
 * the others don't wait behind it (R-AUTH-07). Hashes of other services are verified once and then replaced by such
 * ones.
 */
export class Passwords {
  readonly #queues: Readonly<Record<HashingQueue, Shares>> = {
    accounts: new Shares(hashingLimits),
    users: new Shares(hashingLimits),
    importedUsers: new Shares(hashingLimits),
  }
  readonly #turns = new Turns(hashingThreads())
  readonly #everyCost: HashingCost | undefined
  readonly #pepper: Buffer | undefined
  readonly #bcrypt = new BcryptThread()

  /**
   * `everyCost` overrides the cost of every hash, for passwords that protect nothing, such as those of tests. With a
   * pepper, a key that is not in the database, a copy of the database alone is not enough to guess passwords.
   */
  constructor(everyCost?: HashingCost, pepper?: Buffer) {
    this.#everyCost = everyCost
    this.#pepper = pepper
  }

  async hash(password: string, use: HashingUse): Promise<string> {
    return this.#inQueue(use, () => this.#hash(password, use))
  }

  /**
   * Without a hash, does the same work, so that the response time does not reveal whether the account exists
   * (R-AUTH-04). Where hashes were imported, every wrong password takes as long as one for an imported hash (IMP-16).
   */
  async verify(
    password: string,
    hash: string | null | undefined,
    use: HashingUse,
    importedCost?: number,
  ): Promise<boolean> {
    return this.#inQueue(queuedUse(hash, use, importedCost), () => this.#verify(password, hash, use, importedCost))
  }

  async #verify(
    password: string,
    hash: string | null | undefined,
    { cost, subject }: HashingUse,
    importedCost: number | undefined,
  ): Promise<boolean> {
    const imported = bcryptCost(hash ?? '')
    if (hash && imported !== undefined) {
      const highest = Math.max(imported, importedCost ?? 0)
      if (await this.#bcrypt.matches({ subject, password, hash, cost: highest })) return true
      await this.#derive(password, Buffer.alloc(16), this.#parameters(cost), subject)
      return false
    }
    const stored = readHash(hash)
    const { salt, ...parameters } = stored ?? { ...this.#parameters(cost), salt: Buffer.alloc(16) }
    const tag = await this.#derive(password, salt, parameters, subject)
    if (stored && timingSafeEqual(tag, stored.tag)) return true
    if (importedCost !== undefined) await this.#bcrypt.workFor({ subject, password, cost: importedCost })
    return false
  }

  /**
   * Returns the stored hash if the password matches, otherwise undefined. A hash with an outdated cost is replaced
   * (R-AUTH-06).
   */
  async verifyAndRenew(
    password: string,
    hash: string | null | undefined,
    store: HashStore,
  ): Promise<string | undefined> {
    const { use, importedCost, replace, read } = store
    return this.#inQueue(queuedUse(hash, use, importedCost), async () => {
      if (!(await this.#verify(password, hash, use, importedCost)) || !hash) return undefined
      if (hash.startsWith(prefixOf(this.#parameters(use.cost)))) return hash
      const renewed = await this.#hash(password, use)
      if (await replace(renewed)) return renewed
      // Another sign-in has just renewed the hash, or the password has changed.
      const current = await read()
      return current && (await this.#verify(password, current, use, undefined)) ? current : undefined
    })
  }

  async #hash(password: string, { cost, subject }: HashingUse): Promise<string> {
    const parameters = this.#parameters(cost)
    const salt = randomBytes(16)
    const tag = await this.#derive(password, salt, parameters, subject)
    return `${prefixOf(parameters)}${salt.toString('base64url')}$${tag.toString('base64url')}`
  }

  /**
   * Holds one place for all work of a call, so that a busy server rejects the call before it knows anything about the
   * password.
   */
  async #inQueue<T>({ queue, subject }: HashingUse, work: () => Promise<T>): Promise<T> {
    const shares = this.#queues[queue]
    if (!shares.canTake(subject, true)) reject(commonErrors, 'SERVER_BUSY', { details: { retryAfterSeconds: 2 } })
    shares.take(subject)
    try {
      return await work()
    } finally {
      shares.release(subject)
    }
  }

  #parameters(cost: HashingCost): HashParameters {
    return { ...(this.#everyCost ?? cost), isPeppered: this.#pepper !== undefined }
  }

  async #derive(password: string, nonce: Buffer, parameters: HashParameters, subject: string): Promise<Buffer> {
    const { memoryKiB: memory, passes, isPeppered } = parameters
    if (isPeppered && !this.#pepper) throw new Error('A password hash needs the pepper: set PASSWORD_PEPPER again')
    const secret = isPeppered && this.#pepper ? { secret: this.#pepper } : {}
    const work = { message: password, nonce, parallelism: 1, tagLength, memory, passes, ...secret }
    return this.#turns.run(subject, () => argon2Async('argon2id', work))
  }
}

/** A check that may need bcrypt takes its place among slow ones only. */
const queuedUse = (hash: string | null | undefined, use: HashingUse, importedCost: number | undefined): HashingUse =>
  use.queue === 'users' && (importedCost !== undefined || bcryptCost(hash ?? '') !== undefined)
    ? { ...use, queue: 'importedUsers' }
    : use

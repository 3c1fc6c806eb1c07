import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { bcryptCost } from './bcrypt-hash.ts'
import { BcryptThread } from './bcrypt-thread.ts'
import { hashingThreads } from './thread-pool.ts'

const argon2Async = promisify(argon2)

export interface HashingCost {
  memoryKiB: number
  passes: number
}

/** End users sign in much more often than owners, so their hash is cheaper. */
export const endUserCost: HashingCost = { memoryKiB: 19_456, passes: 2 }
export const accountCost: HashingCost = { memoryKiB: 65_536, passes: 3 }

const tagLength = 32
const maxWaiting = 64

/** Access to a stored password hash. */
export interface HashStore {
  cost: HashingCost
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
 * Argon2id behind a semaphore: a flood of sign-ins fills a short queue instead of using up the
 * machine (R-AUTH-07). Hashes of other services are verified once and then replaced by such ones.
 */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #parallel = hashingThreads()
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

  async hash(password: string, cost: HashingCost): Promise<string> {
    const parameters = this.#parameters(cost)
    const salt = randomBytes(16)
    const tag = await this.#derive(password, salt, parameters)
    return `${prefixOf(parameters)}${salt.toString('base64url')}$${tag.toString('base64url')}`
  }

  /**
   * Without a hash, does the same work, so that the response time does not reveal whether the account exists
   * (R-AUTH-04). Where hashes were imported, every wrong password takes as long as one for an imported hash (IMP-16).
   */
  async verify(
    password: string,
    hash: string | null | undefined,
    cost: HashingCost,
    importedCost?: number,
  ): Promise<boolean> {
    const imported = bcryptCost(hash ?? '')
    if (hash && imported !== undefined) {
      if (await this.#bcrypt.matches(password, hash, Math.max(imported, importedCost ?? 0))) return true
      await this.#derive(password, Buffer.alloc(16), this.#parameters(cost))
      return false
    }
    const stored = readHash(hash)
    const { salt, ...parameters } = stored ?? { ...this.#parameters(cost), salt: Buffer.alloc(16) }
    const tag = await this.#derive(password, salt, parameters)
    if (stored && timingSafeEqual(tag, stored.tag)) return true
    if (importedCost !== undefined) await this.#bcrypt.workFor(password, importedCost)
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
    const { cost, importedCost, replace, read } = store
    if (!(await this.verify(password, hash, cost, importedCost)) || !hash) return undefined
    if (hash.startsWith(prefixOf(this.#parameters(cost)))) return hash
    const renewed = await this.hash(password, cost)
    if (await replace(renewed)) return renewed
    // Another sign-in has just renewed the hash, or the password has changed.
    const current = await read()
    return current && (await this.verify(password, current, cost)) ? current : undefined
  }

  #parameters(cost: HashingCost): HashParameters {
    return { ...(this.#everyCost ?? cost), isPeppered: this.#pepper !== undefined }
  }

  async #derive(password: string, nonce: Buffer, parameters: HashParameters): Promise<Buffer> {
    const { memoryKiB: memory, passes, isPeppered } = parameters
    if (isPeppered && !this.#pepper) throw new Error('A password hash needs the pepper: set PASSWORD_PEPPER again')
    const secret = isPeppered && this.#pepper ? { secret: this.#pepper } : {}
    if (this.#running >= this.#parallel) {
      if (this.#waiting.length >= maxWaiting) {
        reject(commonErrors, 'SERVER_BUSY', { details: { retryAfterSeconds: 2 } })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await argon2Async('argon2id', {
        message: password,
        nonce,
        parallelism: 1,
        tagLength,
        memory,
        passes,
        ...secret,
      })
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}

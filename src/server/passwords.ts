import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'

const argon2Async = promisify(argon2)

export interface HashingCost {
  memoryKiB: number
  passes: number
}

/** End users sign in far more often than owners, so their hash is the cheaper one (DESIGN §2). */
export const endUserCost: HashingCost = { memoryKiB: 19_456, passes: 2 }
export const accountCost: HashingCost = { memoryKiB: 65_536, passes: 3 }

const tagLength = 32
const maxWaiting = 64

/** Argon2id behind a semaphore: a flood of sign-ins fills a short queue, not the machine (R-AUTH-07). */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #parallel = Math.max(1, availableParallelism())
  readonly #everyCost: HashingCost | undefined

  /** With `everyCost` each hash costs that, whatever its caller names: for passwords that protect nobody. */
  constructor(everyCost?: HashingCost) {
    this.#everyCost = everyCost
  }

  async hash(password: string, cost: HashingCost): Promise<string> {
    const { memoryKiB, passes } = this.#everyCost ?? cost
    const salt = randomBytes(16)
    const tag = await this.#derive(password, salt, memoryKiB, passes)
    return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$${salt.toString('base64url')}$${tag.toString('base64url')}`
  }

  /** Without a hash the same work is done, so that time doesn't tell whether the account exists (R-AUTH-04). */
  async verify(password: string, hash: string | null | undefined, cost: HashingCost): Promise<boolean> {
    const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '')
    if (!parts) {
      const { memoryKiB, passes } = this.#everyCost ?? cost
      await this.#derive(password, Buffer.alloc(16), memoryKiB, passes)
      return false
    }
    const expected = Buffer.from(parts[4] as string, 'base64url')
    const salt = Buffer.from(parts[3] as string, 'base64url')
    const tag = await this.#derive(password, salt, Number(parts[1]), Number(parts[2]))
    return timingSafeEqual(tag, expected)
  }

  async #derive(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
    if (this.#running >= this.#parallel) {
      if (this.#waiting.length >= maxWaiting) {
        refuse(commonRefusals, 'SERVER_BUSY', { details: { retryAfterSeconds: 2 } })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await argon2Async('argon2id', { message: password, nonce, parallelism: 1, tagLength, memory, passes })
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bcryptCost } from './bcrypt-hash.ts'
import { Turns } from './turns.ts'

export interface BcryptRequest {
  id: number
  password: string
  /** Absent for work whose result nobody needs. */
  hash?: string
  cost: number
}

export interface BcryptAnswer {
  id: number
  matches: boolean
  error?: string
}

/** Next to this file, both in the sources and in the build. */
const besideThisFile = new URL(`./bcrypt-worker${extname(import.meta.url)}`, import.meta.url)

interface BcryptWork {
  /** Subjects take turns. */
  subject: string
  password: string
  cost: number
}

/** Verifies imported bcrypt hashes in a thread that starts with the first one, one at a time (IMP-16). */
export class BcryptThread {
  readonly #pending = new Map<number, (answer: BcryptAnswer) => void>()
  #worker: Worker | undefined
  #lastId = 0
  readonly #turns = new Turns(1)

  /** Takes as long as verifying a hash of `cost`, for every hash up to that cost, right or wrong. */
  async matches({ hash, ...work }: BcryptWork & { hash: string }): Promise<boolean> {
    const { password, cost } = work
    const own = bcryptCost(hash) ?? cost
    const matches = await this.#run({ ...work, hash, cost: own })
    if (!matches) await this.#pad(work, own)
    // PHP, which made most of these hashes, ends a password at a NUL character.
    return matches && !password.includes('\0')
  }

  /** The same work without an account to verify. */
  async workFor(work: BcryptWork): Promise<void> {
    await this.#run(work)
  }

  /** Each cost doubles the work: 2^own + (2^own + … + 2^(cost - 1)) = 2^cost. */
  async #pad(work: BcryptWork, own: number): Promise<void> {
    for (let each = own; each < work.cost; each++) await this.#run({ ...work, cost: each })
  }

  #run({ subject, ...request }: BcryptWork & { hash?: string }): Promise<boolean> {
    return this.#turns.run(subject, () => this.#send(request))
  }

  async #send(request: Omit<BcryptRequest, 'id'>): Promise<boolean> {
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#start())
    const answer = await new Promise<BcryptAnswer>((resolve) => {
      this.#pending.set(id, resolve)
      worker.ref()
      worker.postMessage({ ...request, id } satisfies BcryptRequest)
    })
    if (this.#pending.size === 0) worker.unref()
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.matches
  }

  #start(): Worker {
    const worker = new Worker(besideThisFile)
    const fail = (error: string) => {
      // After an error, it also exits: the next one may be at work by then.
      if (this.#worker !== worker) return
      this.#worker = undefined
      for (const [id, resolve] of this.#pending) resolve({ id, matches: false, error })
      this.#pending.clear()
    }
    worker.on('message', (answer: BcryptAnswer) => {
      const resolve = this.#pending.get(answer.id)
      this.#pending.delete(answer.id)
      resolve?.(answer)
    })
    worker.on('error', (error) => fail(String(error)))
    worker.on('exit', () => fail('The bcrypt thread ended'))
    return worker
  }
}

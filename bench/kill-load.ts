import { newLicenses, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** The acknowledged writes: none of them may be lost. */
export interface Journal {
  /** Notes of a batch by its keys. */
  created: { notes: string; keys: string[] }[]
  activated: { key: string; program: Program }[]
}

export const batchSize = 20
const creators = 3
const activators = 16

/** Creates and activates licenses until it is stopped or the server is down. */
export class KillLoad {
  readonly journal: Journal = { created: [], activated: [] }
  readonly #running: Promise<void>[]
  #stopped = false

  constructor(app: TestApp, owner: OwnedApp, rootKey: string, options: { keys: string[]; name: string }) {
    const { keys, name } = options
    const create = async (worker: number) => {
      for (let batch = 0; !this.#stopped; batch++) {
        const notes = `${name}-${worker}-${batch}`
        this.journal.created.push({ notes, keys: await newLicenses(owner, batchSize, { notes }) })
      }
    }
    const activate = async () => {
      for (let key = keys.pop(); key !== undefined && !this.#stopped; key = keys.pop()) {
        const program = new Program(app, owner, rootKey)
        await program.init()
        const { body } = await program.license(key)
        if (body.success) this.journal.activated.push({ key, program })
      }
    }
    const work = [
      ...Array.from({ length: creators }, (_, worker) => () => create(worker)),
      ...Array.from({ length: activators }, () => activate),
    ]
    // A call interrupted by the kill is not acknowledged; the worker ends there.
    this.#running = work.map((run) => run().catch(() => {}))
  }

  async stopped(): Promise<Journal> {
    this.#stopped = true
    await Promise.all(this.#running)
    return this.journal
  }
}

const casesPerServer = 20

/**
 * Cases of a generated suite in groups, each named by its first case and run on a server of its own: tests that compare
 * all rows take longer the more data earlier tests have left.
 */
export const fewAtATime = <T>(cases: readonly (readonly [name: string, T])[]) =>
  Array.from({ length: Math.ceil(cases.length / casesPerServer) }, (_, at) => {
    const some = cases.slice(at * casesPerServer, (at + 1) * casesPerServer)
    return [some[0]?.[0] ?? '', some] as const
  })

/**
 * Data for cases that each need a little of it. Filling an app takes longer than most cases, so that one is used until a
 * case fails, because an earlier one has deleted or changed what it needs. That case then runs with new data, and fails
 * only if it fails there.
 */
export class SharedWorld<W> {
  readonly #create: () => Promise<W>
  #world: W | undefined

  constructor(create: () => Promise<W>) {
    this.#create = create
  }

  async check(run: (world: W) => Promise<void>): Promise<void> {
    const used = this.#world
    if (used !== undefined && (await succeeds(() => run(used)))) return
    this.#world = undefined
    const created = await this.#create()
    await run(created)
    this.#world = created
  }
}

const succeeds = (run: () => Promise<void>): Promise<boolean> =>
  run().then(
    () => true,
    () => false,
  )

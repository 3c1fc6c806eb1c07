import type { CreateOptions } from './contract.ts'
import type { Stage } from './stage.ts'

export const groups = ['right', 'hostile', 'slow', 'changed', 'sleeping', 'customers'] as const
export type Group = (typeof groups)[number]

export interface Scenario {
  group: Group
  name: string
  /** What it guards, in one line. */
  guards: string
  /** What `run` must give: one of these texts. */
  expected: readonly string[]
  /** Options of the client that is created first; null if the scenario creates its own. */
  create: CreateOptions | null
  run: (stage: Stage) => Promise<string>
}

interface Options {
  guards: string
  expected: string | readonly string[]
  create?: CreateOptions | null
}

/** A maker of scenarios of one group. */
export const scenariosOf =
  (group: Group) =>
  (name: string, { guards, expected, create = {} }: Options, run: Scenario['run']): Scenario => ({
    group,
    name,
    guards,
    expected: typeof expected === 'string' ? [expected] : expected,
    create,
    run,
  })

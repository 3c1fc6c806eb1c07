import { parseArgs } from 'node:util'
import type { Engine } from '#database/database.ts'

export interface Options {
  /** Names of measurements; empty for all. */
  only: string[]
  engines: Engine[]
  /** Small amounts and short runs, to check that everything works; the figures are not meaningful. */
  quick: boolean
  /** Prints the CPU time per call next to that of the committed results. */
  compare: boolean
  /** A file that describes another server to compare with. */
  against: string | undefined
}

/**
 * `npm run bench -- --only heartbeat,activation --engine sqlite --quick --compare`, or `--against other-server.json`,
 * which measures nothing else.
 */
export function readOptions(given: string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: given,
    options: {
      only: { type: 'string', default: '' },
      engine: { type: 'string', default: 'sqlite,postgres' },
      quick: { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
      against: { type: 'string' },
    },
  })
  const only = listOf(values.only)
  const engines = listOf(values.engine)
  for (const name of only) if (!known.includes(name)) throw new Error(`There is no ${name}: ${known.join(', ')}`)
  for (const name of engines)
    if (name !== 'sqlite' && name !== 'postgres') throw new Error(`There is no engine ${name}`)
  return { only, engines: engines as Engine[], quick: values.quick, compare: values.compare, against: values.against }
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '')

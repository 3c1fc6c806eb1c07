import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const restMs = 2000

/**
 * Releases the memory left over from the start, once, shortly afterwards: V8 only does so under memory pressure, which
 * an idle server does not have.
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
    collect({ type: 'major', flavor: 'last-resort' })
  }, restMs).unref()
}

/**
 * From now on, V8 collects garbage when its heap has grown by 40 % of what is in use, instead of up to fourfold: many
 * sessions stay in memory, and a server needs it for the database, too.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=40')
}

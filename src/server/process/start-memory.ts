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

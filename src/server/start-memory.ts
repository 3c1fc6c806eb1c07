import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const restMs = 2000

/**
 * Gives back what starting left behind, once, shortly after: V8 would keep it until there is pressure,
 * and an idle server has none.
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
    collect({ type: 'major', flavor: 'last-resort' })
  }, restMs).unref()
}

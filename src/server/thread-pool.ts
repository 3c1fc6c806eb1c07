import { availableParallelism } from 'node:os'

const variable = 'UV_THREADPOOL_SIZE'
const sizeOfNode = 4
const leastThreads = 8
/** For what must not wait for passwords: signing replies, reading files, looking up names. */
const otherThreads = 4

/** Sizes Node's thread pool by the machine, unless the operator has. Must run before anything uses the pool. */
export function sizeThreadPool(environment: NodeJS.ProcessEnv = process.env, cores = availableParallelism()): void {
  environment[variable] ||= String(Math.max(leastThreads, cores + otherThreads))
}

/** How many of the pool's threads may hash passwords at once: at most one for each core, and never all (R-AUTH-07). */
export function hashingThreads(environment: NodeJS.ProcessEnv = process.env, cores = availableParallelism()): number {
  const size = Number.parseInt(environment[variable] ?? '', 10) || sizeOfNode
  return Math.max(1, Math.min(cores, size - otherThreads))
}

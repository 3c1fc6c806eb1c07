import { availableParallelism } from 'node:os'

const variable = 'UV_THREADPOOL_SIZE'
const sizeOfNode = 4
const leastThreads = 8
/**
 * Threads reserved for work that must not wait for password hashing: signing replies, reading files, resolving names.
 */
const otherThreads = 4

/** Sizes Node's thread pool for the machine, unless the operator has set it. Must run before the pool is first used. */
export function sizeThreadPool(environment: NodeJS.ProcessEnv = process.env, cores = availableParallelism()): void {
  environment[variable] ||= String(Math.max(leastThreads, cores + otherThreads))
}

/** Number of threads that may hash passwords at once: at most one per core, and never all. */
export function hashingThreads(environment: NodeJS.ProcessEnv = process.env, cores = availableParallelism()): number {
  const size = Number.parseInt(environment[variable] ?? '', 10) || sizeOfNode
  return Math.max(1, Math.min(cores, size - otherThreads))
}

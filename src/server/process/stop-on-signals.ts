import { constants } from 'node:os'
import type { Logger } from 'pino'
import type { Readiness } from './readiness.ts'

/** Time limit after the drain; then the process ends, even with unfinished work. */
const maxStoppingMs = 25_000

interface StopOptions {
  running: { services: { readiness: Readiness }; stop: () => Promise<void> }
  closeDatabase: () => Promise<void>
  log: Logger
  drainSeconds: number
}

/**
 * SIGTERM drains for some seconds, in which `/readyz` tells proxies to send requests elsewhere, and then stops. SIGINT,
 * sent from a terminal, stops immediately, and so does a second signal during the drain.
 */
export function stopOnSignals({ running, closeDatabase, log, drainSeconds }: StopOptions): void {
  const draining = new AbortController()
  let isStopping = false
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (isStopping) return draining.abort()
    isStopping = true
    if (signal === 'SIGTERM' && drainSeconds > 0) {
      log.info({ signal, drainSeconds }, 'draining')
      running.services.readiness.drain()
      await pause(drainSeconds * 1000, draining.signal)
    }
    log.info({ signal }, 'closing')
    setTimeout(() => process.exit(1), maxStoppingMs).unref()
    await running.stop()
    await closeDatabase()
    log.flush(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (received) => void stop(received))
}

/**
 * Until the server is ready, a signal ends the process at once, or after `close`. A handler is needed, because the kernel
 * drops signals that the first process of a container has none for. Returns what removes it.
 */
export function endOnSignals(close?: () => Promise<void>): () => void {
  const end = (signal: NodeJS.Signals) => {
    const exit = () => process.exit(128 + constants.signals[signal])
    if (close) void close().finally(exit)
    else exit()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
  return () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, end)
  }
}

const pause = (ms: number, end: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    end.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

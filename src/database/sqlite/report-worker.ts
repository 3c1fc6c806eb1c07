import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteCode } from '../unavailable.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { issuedNumbers, TrigramIndex } from './trigram-index.ts'
import type { ReportAnswer, ReportRequest, ReportWorkerData } from './report-thread.ts'

const { stop, ...files } = workerData as ReportWorkerData
yieldToOtherThreads()

// Writable only for the attached search file; query_only would forbid that, too.
const connection = new SqliteConnection(files.databaseFile, { readOnly: false })
const index = new TrigramIndex(connection, { ...files, issued: files.issued ?? issuedNumbers(connection) })

let current = 0
let endsAt = Number.POSITIVE_INFINITY
let stopped: ReportAnswer['stopped']

// Searches call this every thousand rows: a running statement cannot be reached in any other way.
connection.database.function('report_goes_on', { deterministic: false }, () => {
  if (Atomics.load(stop, 0) === current) stopped = 'left'
  else if (performance.now() > endsAt) stopped = 'too long'
  else return 1
  throw new Error('The report was stopped')
})

parentPort?.on('message', (request: ReportRequest) => {
  const answer: ReportAnswer = { id: request.id }
  current = request.id
  endsAt = performance.now() + files.maxMs
  stopped = undefined
  try {
    Object.assign(answer, answerTo(request))
    if (index.isRebuilt) answer.rebuilt = true
    index.isRebuilt = false
  } catch (error) {
    answer.error = error instanceof Error ? error.message : String(error)
    if (stopped) answer.stopped = stopped
    answer.errcode = (error as { errcode?: number }).errcode
  }
  parentPort?.postMessage(answer)
})

function answerTo(request: ReportRequest): Pick<ReportAnswer, 'rows' | 'indexedTo'> {
  const work = () =>
    request.kind === 'query' ? { rows: connection.run(request.sql, request.parameters).rows } : catchUp(request.appId)
  try {
    return work()
  } catch (error) {
    const usesIndex = request.kind === 'index' || request.sql.includes('search.')
    if (!usesIndex || !isCorruption(error)) throw error
    // The pages read at start were intact, these are not.
    index.rebuild()
    if (request.kind === 'query') index.catchUp()
    return work()
  }
}

/** For an app, only checks that nothing of it is missing; updating the index is for one thread at a time. */
function catchUp(appId: string | undefined): Pick<ReportAnswer, 'indexedTo'> {
  if (appId === undefined) return { indexedTo: index.catchUp() }
  return index.isCaughtUp(appId) ? { indexedTo: 0 } : {}
}

const corrupt = 11
const notADatabase = 26

const isCorruption = (error: unknown): boolean => [corrupt, notADatabase].includes(sqliteCode(error))

/**
 * On machines with few processors, this thread gets a lower priority than the main thread: Linux has a priority per
 * thread.
 */
function yieldToOtherThreads(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + 10))
  } catch {
    // Other systems do not have one.
  }
}

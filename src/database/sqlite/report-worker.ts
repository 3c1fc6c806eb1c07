import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite-connection.ts'
import { issuedNumbers, TrigramIndex } from './trigram-index.ts'
import type { ReportAnswer, ReportRequest, ReportThreadFiles } from './report-thread.ts'

const files = workerData as ReportThreadFiles

// Writable only for the attached search file; query_only would forbid that too.
const connection = new SqliteConnection(files.databaseFile, { readOnly: false })
const index = new TrigramIndex(connection, { ...files, issued: files.issued ?? issuedNumbers(connection) })

parentPort?.on('message', (request: ReportRequest) => {
  const answer: ReportAnswer = { id: request.id }
  try {
    Object.assign(answer, answerTo(request))
  } catch (error) {
    answer.error = error instanceof Error ? error.message : String(error)
  }
  parentPort?.postMessage(answer)
})

function answerTo(request: ReportRequest): Pick<ReportAnswer, 'rows' | 'indexedTo'> {
  const work = () =>
    request.kind === 'query'
      ? { rows: connection.run(request.sql, request.parameters).rows }
      : { indexedTo: index.catchUp() }
  try {
    return work()
  } catch (error) {
    const usesIndex = request.kind === 'index' || request.sql.includes('search.')
    if (!usesIndex || !isCorruption(error)) throw error
    // The pages that were read at the start were whole, these are not.
    index.rebuild()
    if (request.kind === 'query') index.catchUp()
    return work()
  }
}

const corrupt = 11
const notADatabase = 26

/** SQLite's extended codes carry the primary one in their last byte. */
function isCorruption(error: unknown): boolean {
  const code = Number((error as { errcode?: number }).errcode) & 0xff
  return code === corrupt || code === notADatabase
}

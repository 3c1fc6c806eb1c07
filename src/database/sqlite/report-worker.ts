import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite-connection.ts'
import { TrigramIndex } from './trigram-index.ts'
import type { ReportAnswer, ReportRequest, ReportThreadFiles } from './report-thread.ts'

const files = workerData as ReportThreadFiles

// Writable only for the attached search file; query_only would forbid that too.
const connection = new SqliteConnection(files.databaseFile, { readOnly: false })
const index = new TrigramIndex(connection, files.searchFile, files.sources)

parentPort?.on('message', (request: ReportRequest) => {
  const answer: ReportAnswer = { id: request.id }
  try {
    if (request.kind === 'query') answer.rows = connection.run(request.sql, request.parameters).rows
    else answer.indexedTo = index.catchUp()
  } catch (error) {
    answer.error = error instanceof Error ? error.message : String(error)
  }
  parentPort?.postMessage(answer)
})

import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite-connection.ts'

export interface CheckpointResult {
  error?: string
}

const connection = new SqliteConnection((workerData as { databaseFile: string }).databaseFile)
connection.neverBlock()

function checkpoint(): CheckpointResult {
  try {
    connection.checkpoint()
    return {}
  } catch (error) {
    return { error: String(error) }
  }
}

parentPort?.on('message', () => parentPort?.postMessage(checkpoint()))

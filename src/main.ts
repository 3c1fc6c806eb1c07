import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open-database.ts'
import type { Config } from '#server/config/config.ts'
import { loadSettings } from '#server/config/load-settings.ts'
import { newLog } from '#server/log/log.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { operatorMessage } from '#server/process/operator-message.ts'
import { limitHeapGrowth, releaseStartMemory } from '#server/process/start-memory.ts'
import { type RunningServer, startServer } from '#server/start-server.ts'
import { endOnSignals, stopOnSignals } from '#server/process/stop-on-signals.ts'
import { withinTime } from '#server/process/within-time.ts'
import { explainListenError, type WaitingServer, waitingServer } from './server/http/waiting-server.ts'
import { sizeThreadPool } from '#server/passwords/thread-pool.ts'
import { restrictNewFiles } from '#server/process/umask.ts'
import { features } from './features.ts'

async function main(): Promise<void> {
  restrictNewFiles()
  const removeSignalHandlers = endOnSignals()
  const { config, warnings } = loadSettings()
  sizeThreadPool()
  const log = newLog(config.logLevel)
  const waiting = waitingServer(config)
  await waiting.start()
  for (const warning of warnings) log.warn(warning)
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    databaseConnections: config.databaseConnections,
    dataDir: config.dataDir,
    sources: features.flatMap((feature) => feature.searches ?? []),
    onError: (error) => log.error({ err: error }, 'the database reported a problem'),
    onDiskFailure: (error) => {
      log.fatal({ err: error }, 'the disk did not keep a commit: Signet ends, and reads the database anew when started')
      process.exit(1)
    },
    onUnreachable: async (problem) => log.warn(problem),
    onWarning: (text) => log.warn(text),
  })
  // Otherwise its heartbeat row would remain, and a restore would wait for this server.
  let closing: Promise<void> | undefined
  const closeDatabase = () => (closing ??= withinTime(db.close(), maxClosingMs).catch(() => {}))
  removeSignalHandlers()
  const removeClosingHandlers = endOnSignals(closeDatabase)
  try {
    const running = await serve({ config, db, log, waiting })
    removeClosingHandlers()
    stopOnSignals({ running, closeDatabase: () => db.close(), log, drainSeconds: config.drainSeconds })
  } catch (error) {
    await closeDatabase()
    throw error
  }
}

const maxClosingMs = 3000

interface Start {
  config: Config
  db: Database
  log: Logger
  waiting: WaitingServer
}

async function serve({ config, db, log, waiting }: Start): Promise<RunningServer> {
  const masterKey = await openMasterKey({ db, file: config.masterKeyFile, features })
  const running = await startServer({ config, db, masterKey, log }, features, resolve('dist/web'))
  await waiting.stop()
  await running.server.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
    throw explainListenError(config, error)
  })
  log.info(`Signet is ready: ${config.publicUrl}`)
  limitHeapGrowth()
  releaseStartMemory()
  return running
}

main().catch((error: unknown) => {
  console.error(operatorMessage(error) ?? error)
  process.exit(1)
})

import { resolve } from 'node:path'
import { openDatabase } from '#database/open-database.ts'
import { loadSettings } from '#server/config/load-settings.ts'
import { newLog } from '#server/log/log.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { operatorMessage } from '#server/process/operator-message.ts'
import { releaseStartMemory } from '#server/process/start-memory.ts'
import { startServer } from '#server/start-server.ts'
import { endOnSignals, stopOnSignals } from '#server/process/stop-on-signals.ts'
import { explainListenError, waitingServer } from './server/http/waiting-server.ts'
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
  const masterKey = await openMasterKey({ db, file: config.masterKeyFile, features }).catch(async (error: unknown) => {
    // Otherwise its heartbeat row would remain, and a restore would wait for this server.
    await db.close()
    throw error
  })
  const running = await startServer({ config, db, masterKey, log }, features, resolve('dist/web'))
  await waiting.stop()
  await running.server.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
    throw explainListenError(config, error)
  })
  log.info(`Signet is ready: ${config.publicUrl}`)
  releaseStartMemory()
  removeSignalHandlers()
  stopOnSignals({ running, closeDatabase: () => db.close(), log, drainSeconds: config.drainSeconds })
}

main().catch((error: unknown) => {
  console.error(operatorMessage(error) ?? error)
  process.exit(1)
})

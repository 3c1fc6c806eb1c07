import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { openDatabase } from '#database/open-database.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { ConfigInvalid, readConfig } from '#server/config.ts'
import { newLog } from '#server/log.ts'
import { MasterKey } from '#server/master-key.ts'
import { releaseStartMemory } from '#server/start-memory.ts'
import { startServer } from '#server/start-server.ts'
import { waitingServer } from '#server/waiting-server.ts'
import { sizeThreadPool } from '#server/thread-pool.ts'
import { features } from './features.ts'

const maxClosingMs = 25_000

async function main(): Promise<void> {
  if (existsSync('.env')) loadEnvFile('.env')
  sizeThreadPool()
  const config = readConfig(process.env)
  const log = newLog(config.logLevel)
  const masterKey = MasterKey.fromFile(config.masterKeyFile)
  const waiting = waitingServer(config)
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    sources: features.flatMap((feature) => feature.searches ?? []),
    onError: (error) => log.error({ err: error }, 'the database reported a problem'),
    async onUnreachable(problem) {
      log.warn(problem)
      await waiting.start()
    },
  })
  await waiting.stop()
  const running = await startServer({ config, db, masterKey, log }, features, resolve('dist/web'))
  await running.server.listen({ port: config.port, host: config.host })
  log.info(`Signet is ready: ${config.publicUrl}`)
  releaseStartMemory()

  let closing = false
  async function close(signal: string): Promise<void> {
    if (closing) return
    closing = true
    log.info({ signal }, 'closing')
    setTimeout(() => process.exit(1), maxClosingMs).unref()
    await running.stop()
    await db.close()
    process.exit(0)
  }
  process.once('SIGTERM', close)
  process.once('SIGINT', close)
}

main().catch((error: unknown) => {
  const clear =
    error instanceof ConfigInvalid || databaseIsUnavailable(error) || (error as { code?: string }).code === 'EADDRINUSE'
  console.error(clear ? (error as Error).message : error)
  process.exit(1)
})

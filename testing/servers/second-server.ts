import { startServer } from '#server/start-server.ts'
import { storeTime } from '#server/clock/stored-time.ts'
import { features } from '#features.ts'
import type { TestApp } from '../start-test-app.ts'
import { Visitor } from '../people/visitor.ts'

/**
 * Another server on the same database, as after a restart or in a second process; closing it does not close the
 * database.
 */
export async function startSecondServer(app: TestApp): Promise<TestApp> {
  const { config, db, masterKey, log, passwords } = app.services
  // As the first server does each minute.
  await storeTime(app.services)
  const running = await startServer({ config, db, masterKey, log, timeSource: app.timeSource, passwords }, features)
  await running.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = running.server.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  return {
    ...app,
    services: running.services,
    now: () => Math.floor(running.services.clock() / 1000),
    url,
    visitor: () => new Visitor(url),
    close: () => running.stop(),
  }
}

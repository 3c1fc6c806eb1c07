import type { Database, Tx } from '#database/database.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'
import type { DataLocation } from './data-place.ts'

/** A server in another process, as the test helpers need it: a URL, its data and a clock. */
export function remoteApp(url: string, place: DataLocation): TestApp {
  const write = <T>(work: (tx: Tx) => Promise<T>) => place.open((db) => db.write(work))
  const db = { write } as unknown as Database
  const now = () => Math.floor(Date.now() / 1000)
  return { url, db, now, visitor: () => new Visitor(url), services: { clock: Date.now } } as unknown as TestApp
}

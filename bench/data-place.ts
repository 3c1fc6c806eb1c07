import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Database, Engine } from '#database/database.ts'
import { openDatabase } from '#database/open-database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { type PostgresServer, startPostgres } from '#testing/servers/postgres-server.ts'
import { features } from '#features.ts'
import type { Scratch } from './scratch.ts'

/** The data of one server, accessed directly. */
export interface DataLocation {
  engine: Engine
  dataDir: string
  /** Settings for a server that uses it. */
  environment: Record<string, string>
  /** Opens it next to or without a server; closes it afterward. */
  open<T>(work: (db: Database) => Promise<T>): Promise<T>
}

/** Timeout of building an index over a million rows, which takes longer than any statement of the server. */
const indexMs = 600_000

/** All load comes from one address, so the limits per address would otherwise be measured. */
const withoutLimits = { PROGRAM_STARTS_PER_MINUTE: '1000000000', HEARTBEATS_PER_MINUTE: '1000000000' }

/**
 * Creates data places of one engine. PostgreSQL is durable here, because the tests' `fsync=off` would improve the
 * results.
 */
export class Places {
  readonly engine: Engine
  readonly #scratch: Scratch
  #server: Promise<PostgresServer> | undefined

  constructor(engine: Engine, scratch: Scratch) {
    this.engine = engine
    this.#scratch = scratch
  }

  /** The PostgreSQL server of this run, started on first use. */
  postgres(): Promise<PostgresServer> {
    return (this.#server ??= startPostgres({ durable: true }).then((server) => {
      this.#scratch.atEnd(() => server.stop())
      return server
    }))
  }

  async make(): Promise<DataLocation> {
    const dataDir = this.#scratch.folder('data')
    const databaseUrl = this.engine === 'postgres' ? await this.#newDatabase() : undefined
    const sources = features.flatMap((feature) => feature.searches ?? [])
    const place: DataLocation = {
      engine: this.engine,
      dataDir,
      environment: { ...withoutLimits, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' },
      async open(work) {
        const db = databaseUrl
          ? await openPostgres({ url: databaseUrl, queryTimeoutMs: indexMs })
          : await openDatabase({ dataDir, sources, shared: existsSync(join(dataDir, 'signet.db')) })
        try {
          return await work(db)
        } finally {
          await db.close()
        }
      },
    }
    // Creates the tables, as on a first start.
    await place.open(async () => {})
    return place
  }

  async #newDatabase(): Promise<string> {
    const { url } = await this.postgres()
    const name = `bench_${randomBytes(6).toString('hex')}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return url.replace(/\/[^/]*$/, `/${name}`)
  }
}

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

/** Where one server keeps its data, seen from outside. */
export interface DataPlace {
  engine: Engine
  dataDir: string
  /** Settings that make a server use it. */
  environment: Record<string, string>
  /** Opens it beside or instead of a server; closed again afterwards. */
  open<T>(work: (db: Database) => Promise<T>): Promise<T>
}

/** No server's statement takes as long as an index over a million rows. */
const indexMs = 600_000

/** All load comes from one address here, so the limits per address would be what is measured. */
const withoutLimits = { PROGRAM_STARTS_PER_MINUTE: '1000000000', HEARTBEATS_PER_MINUTE: '1000000000' }

/** Makes data places of one engine. PostgreSQL runs durably here: the tests' `fsync=off` would flatter it. */
export class Places {
  readonly engine: Engine
  readonly #scratch: Scratch
  #server: Promise<PostgresServer> | undefined

  constructor(engine: Engine, scratch: Scratch) {
    this.engine = engine
    this.#scratch = scratch
  }

  /** The PostgreSQL server of this run, started at its first use. */
  postgres(): Promise<PostgresServer> {
    return (this.#server ??= startPostgres({ durable: true }).then((server) => {
      this.#scratch.atEnd(() => server.stop())
      return server
    }))
  }

  async make(): Promise<DataPlace> {
    const dataDir = this.#scratch.folder('data')
    const databaseUrl = this.engine === 'postgres' ? await this.#newDatabase() : undefined
    const sources = features.flatMap((feature) => feature.searches ?? [])
    const place: DataPlace = {
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
    // With its tables, as after a first start.
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

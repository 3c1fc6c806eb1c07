import { type DatabaseConnection, SqliteAdapter } from 'kysely'

/** Names the one connection, so that a prepared query can run without Kysely's handing it out and back. */
export class OneConnectionAdapter extends SqliteAdapter {
  readonly connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    super()
    this.connection = connection
  }
}

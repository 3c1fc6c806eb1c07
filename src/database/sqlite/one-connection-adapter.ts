import { type DatabaseConnection, SqliteAdapter } from 'kysely'

/** Exposes the single connection, so that a prepared query can run without Kysely acquiring and releasing it. */
export class OneConnectionAdapter extends SqliteAdapter {
  readonly connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    super()
    this.connection = connection
  }
}

import type { Generated } from 'kysely'

export interface ClientSessionsTable {
  app_id: string
  token_hash: string
  handle: string
  user_id: number | null
  license_id: number | null
  ip: string
  /** Of the address, ISO 3166-1 alpha-2; empty if unknown. */
  country: Generated<string>
  hwid_hash: string | null
  created_at: number
  last_heartbeat_at: number
  expires_at: number
  ended_code: string | null
}

declare module '#database/schema.ts' {
  interface Schema {
    client_sessions: ClientSessionsTable
  }
}

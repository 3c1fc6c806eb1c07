import type { Kysely } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'

/** What the row of everybody who signs in to the dashboard has, whichever table it stands in. */
export interface Person {
  id: string
  username: string
  /** Null, like the password, until a set-up link was used. */
  email: string | null
  password_hash: string | null
  banned: number
  /** In which mails are written; null until a browser said it. */
  language: string | null
  /** Epoch seconds: a browser that signed in before then is a stranger. */
  devices_since: number
  /** Sealed; without `totp_enabled_at` it is not confirmed yet. */
  totp_secret_sealed: string | null
  totp_enabled_at: number | null
  /** The newest 30-second step whose code was taken: each counts once. */
  totp_last_step: number | null
}

export interface SessionRow {
  id_hash: string
  /** Names the session to its owner, and opens nothing. */
  handle: string
  person_id: string
  ip: string
  user_agent: string
  remember_me: number
  created_at: number
  last_used_at: number
  /** When the password was last proved in this session, epoch seconds. */
  proved_at: number
  expires_at: number
}

/** A right password that still waits for the second factor. */
export interface PendingSignIn {
  token_hash: string
  person_id: string
  remember_me: number
  expires_at: number
}

/** Where the rows of one kind of people stand. */
export interface SignInTables {
  people: keyof Schema
  sessions: keyof Schema
  pending: keyof Schema
  recoveryCodes: keyof Schema
  /** The column of the last three that names the person. */
  person: string
}

interface Rows {
  people: Person
  sessions: SessionRow
  pending: PendingSignIn
  recovery_codes: { person_id: string; code_hash: string; used_at: number | null }
}

/** The same queries for every kind: the tables and the column go by their own names, the types by these. */
export const rowsOf = (db: Reader, { people, sessions, pending, recoveryCodes, person }: SignInTables) => ({
  db: db as unknown as Kysely<Rows>,
  people: people as 'people',
  sessions: sessions as 'sessions',
  pending: pending as 'pending',
  recoveryCodes: recoveryCodes as 'recovery_codes',
  person: person as 'person_id',
})

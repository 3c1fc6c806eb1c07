import type { Kysely } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'

/** Columns of every account that signs in to the dashboard, whichever table it is in. */
export interface Person {
  id: string
  username: string
  /** Null, like the password, until the set-up link has been used. */
  email: string | null
  password_hash: string | null
  banned: number
  /** Language of emails; null until a browser has reported one. */
  language: string | null
  /** Epoch seconds: device cookies issued earlier are not valid. */
  devices_since: number
  /** Sealed. Not confirmed while `totp_enabled_at` is null. */
  totp_secret_sealed: string | null
  totp_enabled_at: number | null
  /** Newest 30-second step whose code was accepted: each step is accepted once. */
  totp_last_step: number | null
}

export interface SessionRow {
  id_hash: string
  /** Identifies the session to its owner; it cannot be used to sign in. */
  handle: string
  person_id: string
  ip: string
  user_agent: string
  remember_me: number
  created_at: number
  last_used_at: number
  /** When the password was last confirmed in this session, in epoch seconds. */
  proved_at: number
  expires_at: number
}

/** A sign-in with a correct password that still needs its second factor. */
export interface PendingSignIn {
  token_hash: string
  person_id: string
  remember_me: number
  expires_at: number
}

/** The tables of one kind of account. */
export interface SignInTables {
  people: keyof Schema
  sessions: keyof Schema
  pending: keyof Schema
  recoveryCodes: keyof Schema
  /** The column with the account ID in the last three tables. */
  person: string
}

interface Rows {
  people: Person
  sessions: SessionRow
  pending: PendingSignIn
  recovery_codes: { person_id: string; code_hash: string; used_at: number | null }
}

/** The same queries for all kinds of accounts: types follow these tables, names are those of each kind. */
export const rowsOf = (db: Reader, { people, sessions, pending, recoveryCodes, person }: SignInTables) => ({
  db: db as unknown as Kysely<Rows>,
  people: people as 'people',
  sessions: sessions as 'sessions',
  pending: pending as 'pending',
  recoveryCodes: recoveryCodes as 'recovery_codes',
  person: person as 'person_id',
})

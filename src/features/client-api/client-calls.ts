import { type Static, type TSchema, Type } from 'typebox'
import { Text } from '#contract/fields.ts'
import type { ProgramApp } from '#features/apps/program-apps.ts'
import type { Services } from '#server/services.ts'
import type { LiveSession, LiveSessions } from './live-sessions.ts'
import type { SessionStarts } from './session-starts.ts'
import type { ClaimedWrite, Nonce } from './used-nonces.ts'

/** Input of programs' calls (docs/protocol.md). Unknown fields, such as those of later versions, are ignored. */
export const clientBodies = {
  init: Type.Object({ version: Text(64, 1), hash: Type.Optional(Text(128)), sdk: Type.Optional(Text(64)) }),
  license: Type.Object({ key: Text(200, 1), hwid: Type.Optional(Text(1024)) }),
  login: Type.Object({
    username: Text(64, 1),
    password: Text(256, 1),
    licenseKey: Type.Optional(Text(200, 1)),
    hwid: Type.Optional(Text(1024)),
  }),
  register: Type.Object({
    username: Text(200),
    password: Text(256),
    licenseKey: Text(200, 1),
    email: Type.Optional(Type.Union([Text(254), Type.Null()])),
    hwid: Type.Optional(Text(1024)),
  }),
  renew: Type.Object({ version: Text(64, 1), hash: Type.Optional(Text(128)), hwid: Type.Optional(Text(1024)) }),
  'request-password-reset': Type.Object({ username: Text(64, 1) }),
  heartbeat: Type.Object({}),
  variable: Type.Object({ name: Text(1000) }),
  'user-variable': Type.Object({ name: Text(1000) }),
  'set-user-variable': Type.Object({ name: Text(1000), value: Text(20_000) }),
  log: Type.Object({ message: Text(20_000) }),
  download: Type.Object({ id: Text(100, 1) }),
  upgrade: Type.Object({ licenseKey: Text(200, 1) }),
  'change-password': Type.Object({ password: Text(256, 1), newPassword: Text(256) }),
  'call-webhook': Type.Object({
    id: Text(40, 1),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  logout: Type.Object({}),
}

export type ClientCall = keyof typeof clientBodies

/** Calls that sign in a user: they reopen a session that was ended by a ban, once the ban is lifted. */
export const signInCalls: ReadonlySet<ClientCall> = new Set(['license', 'login', 'register'])

/** Calls of running programs: rate-limited per session, which another process may have signed in. */
export const runningCalls: ReadonlySet<ClientCall> = new Set([
  'renew',
  'heartbeat',
  'variable',
  'user-variable',
  'set-user-variable',
  'log',
  'download',
  'upgrade',
  'change-password',
  'call-webhook',
  'logout',
])

/**
 * Calls that change something: a recorded request must never be executed again, so each claims its nonce in the
 * transaction of the change (docs/decisions/024). The others only read, and a heartbeat only proves that the session is
 * alive: their replies are valid for one nonce, and a thief of the session can send new requests anyway.
 */
export const changingCalls: ReadonlySet<ClientCall> = new Set([
  'init',
  'license',
  'login',
  'register',
  'renew',
  'request-password-reset',
  'set-user-variable',
  'log',
  'upgrade',
  'change-password',
  'call-webhook',
  'logout',
])

export interface ProgramContext<B extends TSchema = TSchema> {
  services: Services
  /** Transactions of this request: besides `starts`, the only way a call may change anything. */
  write: ClaimedWrite
  starts: SessionStarts
  sessions: LiveSessions
  app: ProgramApp
  /** Claimed by the transactions of this request. */
  nonce: Nonce
  body: Static<B>
  /** The live session named in the request; undefined only for `init`. */
  session: LiveSession
  ip: string
  requestId: string
  /** Epoch seconds. */
  now: number
}

/** Returns the fields of the success reply, immediately if they are in memory. */
export type ProgramHandler<C extends ClientCall> = (
  context: ProgramContext<(typeof clientBodies)[C]>,
) => object | Promise<object>

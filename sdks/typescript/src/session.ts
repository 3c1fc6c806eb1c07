import { SignetError } from './errors.ts'

/** The app as the server knows it. */
export interface App {
  name: string
  version: string
  /** The webloader link that the owner set. */
  webloaderUrl: string | null
}

/** What the customer bought. */
export interface Subscription {
  level: number
  name: string
  /** Null for lifetime. */
  expiresAt: Date | null
}

/** The customer. */
export interface User {
  username: string
  email: string | null
  subscriptions: readonly Subscription[]
  createdAt: Date | null
  lastLoginAt: Date | null
}

/** A session that somebody is signed in to. */
export interface Session {
  user: User
  /** The end of the session, which heartbeats can extend; not of the subscription. */
  expiresAt: Date
}

type Fields = Record<string, unknown>

export function appOf(fields: Fields): App {
  const app = objectAt(fields, 'app')
  return {
    name: textAt(app, 'name'),
    version: textAt(app, 'version'),
    webloaderUrl: optionalTextAt(app, 'webloaderUrl'),
  }
}

export function tokenOf(fields: Fields): string {
  const token = textAt(fields, 'session')
  return /^[\w-]{22,128}$/.test(token) ? token : malformed('session')
}

/** The session in the reply to a sign-in or a heartbeat. */
export function sessionOf(fields: Fields): Session {
  const user = objectAt(fields, 'user')
  const { subscriptions } = user
  if (!Array.isArray(subscriptions)) return malformed('subscriptions')
  return {
    user: {
      username: textAt(user, 'username'),
      email: optionalTextAt(user, 'email'),
      subscriptions: subscriptions.map(subscriptionOf),
      createdAt: timeAt(user, 'createdAt'),
      lastLoginAt: timeAt(user, 'lastLoginAt'),
    },
    expiresAt: timeAt(fields, 'expiresAt') ?? malformed('expiresAt'),
  }
}

/** What a webhook answered. */
export interface WebhookAnswer {
  /** Of HTTP. */
  status: number
  body: string
}

export function webhookAnswerOf(fields: Fields): WebhookAnswer {
  const { status } = fields
  if (!Number.isSafeInteger(status)) return malformed('status')
  return { status: status as number, body: textAt(fields, 'body') }
}

function subscriptionOf(item: unknown): Subscription {
  if (typeof item !== 'object' || item === null) return malformed('subscriptions')
  const fields = item as Fields
  const { level } = fields
  if (!Number.isSafeInteger(level)) return malformed('level')
  return { level: level as number, name: textAt(fields, 'name'), expiresAt: timeAt(fields, 'expiresAt') }
}

function objectAt(fields: Fields, name: string): Fields {
  const value = fields[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : malformed(name)
}

export function textAt(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : malformed(name)
}

/** Null for an empty text, and for none. */
const optionalTextAt = (fields: Fields, name: string): string | null =>
  fields[name] === undefined || fields[name] === null ? null : textAt(fields, name) || null

/** Epoch seconds. */
function timeAt(fields: Fields, name: string): Date | null {
  const value = fields[name]
  if (value === null || value === undefined) return null
  const time = new Date(Number.isSafeInteger(value) ? (value as number) * 1000 : Number.NaN)
  return Number.isNaN(time.getTime()) ? malformed(name) : time
}

function malformed(name: string): never {
  throw new SignetError('MALFORMED_REPLY', `The server's signed answer lacks a proper ${name}.`)
}

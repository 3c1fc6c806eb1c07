import type { CallDefinition, CallTypes, Contract } from '#contract/define-call.ts'
import type { Language } from '#contract/language.ts'
import type { SearchSource } from '#database/search-source.ts'
import type { Reader, Tx } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { ActorOf, AppScope, Identities } from './actors.ts'
import type { EventFeed } from './event-stream.ts'
import type { JobHandler } from '../jobs/jobs.ts'
import type { MasterKey } from '../master-key.ts'
import type { Gauge } from '../metrics/gauge.ts'
import type { PageBrand } from './page-brand.ts'
import type { RawRoute } from './raw-routes.ts'
import type { ServedFile } from './served-file.ts'
import type { Services } from '../services.ts'
import type { StatusProbes } from '../status/status-probe.ts'
import type { UploadForm } from './upload-form.ts'

export interface Caller {
  ip: string
  userAgent: string
  requestId: string
  /** In which the caller reads, if it is one of ours. */
  language?: Language | undefined
}

/** What a handler gets: who calls, on which app, with what. */
export interface CallContext<D extends CallDefinition = CallDefinition> {
  services: Services
  actor: ActorOf<D['access']>
  app: D extends { app: true | 'by-id' } ? AppScope : D extends { app: 'optional' } ? AppScope | undefined : undefined
  params: CallTypes<D>['params']
  query: CallTypes<D>['query']
  body: CallTypes<D>['body']
  /** Epoch seconds. */
  now: number
  caller: Caller
  cookies: SessionCookies
  /** The host that the request names, without its port. */
  host: string
}

export interface SessionCookie {
  /** The session token the caller sent, whether or not it still counts. */
  token: string | undefined
  start(token: string, lifetimeSeconds: number | null): void
  /** Ends the session; the browser forgets what it stored for this origin (R-SES-10). */
  end(): void
}

export interface SessionCookies extends SessionCookie {
  /** Of the reseller area, apart from that of an account (R-SES-02). */
  reseller: SessionCookie
  /** What the browser says of the accounts that have signed in on it (device-cookies.ts). */
  device: string | undefined
  rememberDevice(value: string): void
}

type Reply<D extends CallDefinition> = Omit<CallTypes<D>['reply'], 'success'> & { success?: boolean }

/** A text that is sent in chunks, such as an export. */
export interface StreamedReply {
  stream: AsyncIterable<string>
  headers: Record<string, string>
}

type Handler<D extends CallDefinition, Prepared> =
  | {
      /** Reads only. */
      read: (context: CallContext<D>) => Promise<Reply<D> | StreamedReply>
      /** In place of a 503, for anybody, while nothing can be read: what everybody may know. */
      withoutDatabase?: (services: Services) => Reply<D>
    }
  | {
      /** Work that is no SQL, such as hashing a password, done before the transaction. */
      prepare?: ((context: CallContext<D>) => Promise<Prepared>) | undefined
      /** One transaction: one action, its audit row, its reply. */
      write: (tx: Tx, context: CallContext<D>, prepared: Prepared) => Promise<Reply<D>>
      /** Another shape of the same reply, chosen after the transaction: a repeated call gets it too. */
      present?: (reply: Reply<D>, context: CallContext<D>) => Reply<D> | StreamedReply
    }
  | {
      /** Several transactions around the bytes of a file that comes in; for calls whose contract says `upload`. */
      receive: (context: CallContext<D>, form: UploadForm<CallTypes<D>['body']>) => Promise<Reply<D>>
    }
  | {
      /** The bytes of a file, whole or a range; for calls whose contract says `file`. */
      send: (context: CallContext<D>) => Promise<ServedFile>
    }
  | {
      /** Events until the caller leaves, as `text/event-stream`. `lastEventId`: the last one that it has heard. */
      listen: (context: CallContext<D>, lastEventId: string | undefined) => Promise<EventFeed>
    }
  | {
      /** Several transactions, for calls too large for one (R-LIC-07). */
      writeInBatches: (context: CallContext<D>) => Promise<Reply<D>>
      /** What fits into one transaction, for callers who send an `Idempotency-Key`. */
      writeOnce?: (tx: Tx, context: CallContext<D>, prepared: Prepared) => Promise<Reply<D>>
      /** Long reads for it, done before the transaction: others would wait for them. */
      prepareOnce?: (context: CallContext<D>) => Promise<Prepared>
    }

/** What runs in one transaction, whatever shape its handler has. */
export type WriteHandler = Extract<Handler<CallDefinition, unknown>, { present?: unknown }>

export interface Endpoint {
  call: CallDefinition
  handler: Handler<CallDefinition, unknown>
}

export function endpoint<D extends CallDefinition, Prepared = undefined>(
  call: D,
  handler: Handler<D, Prepared>,
): Endpoint {
  return { call, handler: handler as unknown as Handler<CallDefinition, unknown> }
}

/** Something in the database that was sealed with a master key, or signed by one derived from it. */
export interface SealedValue {
  isSealedBy(masterKey: MasterKey): boolean
}

/** Whether owners may register; `no-admin`: they may, and nobody runs the server yet. */
export type RegistrationState = 'open' | 'closed' | 'no-admin'

export interface Feature {
  name: string
  contract: Contract
  endpoints: readonly Endpoint[]
  identities?: Partial<Identities>
  searches?: readonly SearchSource[]
  /** Tables that may hold very many rows of one app: they are emptied piece by piece when it is deleted. */
  appTables?: readonly (keyof Schema)[]
  /** The client protocol: bytes in, bytes out. */
  rawRoutes?: (services: Services) => readonly RawRoute[]
  /** Work after the reply, by kind. */
  jobs?: Readonly<Record<string, JobHandler>>
  /** Metrics for whoever runs the server. */
  gauges?: readonly Gauge[]
  /** How parts of the platform are, for the status page, by part; each part has one probe. */
  status?: StatusProbes
  /** How the dashboard looks at this host, where it isn't its own; nothing for a host that nobody proved. */
  pageBrand?: (services: Services, host: string) => Promise<PageBrand | undefined>
  /** What the page of the dashboard says of registering. */
  registrationState?: (services: Services) => Promise<RegistrationState>
  /** The oldest value that the feature has sealed, if any: the key of a database must fit. */
  sealedValue?: (db: Reader) => Promise<SealedValue | undefined>
  /** Runs at start, before the first request; the returned function runs at the end. */
  start?: (services: Services, features: readonly Feature[]) => Promise<(() => Promise<void>) | void>
}

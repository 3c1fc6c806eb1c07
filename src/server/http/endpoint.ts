import type { CallDefinition, CallTypes, Contract } from '#contract/define-call.ts'
import type { Language } from '#contract/language.ts'
import type { SearchSource } from '#database/search-source.ts'
import type { Reader, Tx } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { ActorOf, AppScope } from '../audit/actors.ts'
import type { Identities } from './identities.ts'
import type { EventFeed } from './event-stream.ts'
import type { JobHandler } from '../jobs/jobs.ts'
import type { SealedValue } from '../secrets/open-master-key.ts'
import type { Gauge } from '../status/gauge.ts'
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
  /** The caller's language, if supported. */
  language?: Language | undefined
}

/** Input of a handler: the caller, the app and the validated request. */
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
  /** Host name of the request, without its port. */
  host: string
}

export interface SessionCookie {
  /** The session token sent by the caller, valid or not. */
  token: string | undefined
  start(token: string, lifetimeSeconds: number | null): void
  /** Ends the session and clears what the browser stored for this origin. */
  end(): void
}

export interface SessionCookies extends SessionCookie {
  /** The session of the reseller area, separate from that of an account. */
  reseller: SessionCookie
  /** The device cookie: the accounts that have signed in from this browser (device-cookies.ts). */
  device: string | undefined
  rememberDevice(value: string): void
}

/** The reply of a handler. Its code is one of the call's successes, and the contract has the text of the code. */
type Reply<D extends CallDefinition> = Omit<CallTypes<D>['reply'], 'success' | 'code' | 'message'> & {
  success?: boolean
  code?: keyof D['successes'] & string
}

/** A text sent in chunks, such as an export. */
export interface StreamedReply {
  stream: AsyncIterable<string>
  headers: Record<string, string>
}

type Handler<D extends CallDefinition, Prepared> =
  | {
      /** Reads only. */
      read: (context: CallContext<D>) => Promise<Reply<D> | StreamedReply>
      /** Replaces a 503 while the database cannot be read; must contain only public information. */
      withoutDatabase?: (services: Services) => Reply<D>
    }
  | {
      /** Work outside the database, such as hashing a password, done before the transaction. */
      prepare?: ((context: CallContext<D>) => Promise<Prepared>) | undefined
      /** One transaction: one action, its audit row, its reply. */
      write: (tx: Tx, context: CallContext<D>, prepared: Prepared) => Promise<Reply<D>>
      /** Another representation of the same reply, chosen after the transaction; also applied to a repeated call. */
      present?: (reply: Reply<D>, context: CallContext<D>) => Reply<D> | StreamedReply
    }
  | {
      /** Several transactions around an incoming file; for calls with `upload` in their contract. */
      receive: (context: CallContext<D>, form: UploadForm<CallTypes<D>['body']>) => Promise<Reply<D>>
    }
  | {
      /** A file or a byte range of it; for calls with `file` in their contract. */
      send: (context: CallContext<D>) => Promise<ServedFile>
    }
  | {
      /**
       * Events as `text/event-stream`, until the caller disconnects. `lastEventId` is the last event the caller
       * received.
       */
      listen: (context: CallContext<D>, lastEventId: string | undefined) => Promise<EventFeed>
    }
  | {
      /** Several transactions, for calls that are too large for one. */
      writeInBatches: (context: CallContext<D>) => Promise<Reply<D>>
      /** The part that fits into one transaction, for callers with an `Idempotency-Key`. */
      writeOnce?: (tx: Tx, context: CallContext<D>, prepared: Prepared) => Promise<Reply<D>>
      /** Long reads done before that transaction, so that other writers do not wait for them. */
      prepareOnce?: (context: CallContext<D>) => Promise<Prepared>
    }

/** The part that runs in one transaction, for every kind of handler. */
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

/** Whether owners may register; `no-admin`: registration is open and there is no administrator yet. */
export type RegistrationState = 'open' | 'closed' | 'no-admin'

export interface Feature {
  name: string
  contract: Contract
  endpoints: readonly Endpoint[]
  identities?: Partial<Identities>
  searches?: readonly SearchSource[]
  /** Tables that may hold very many rows of one app; emptied in batches when the app is deleted. */
  appTables?: readonly (keyof Schema)[]
  /** The client protocol: bytes in, bytes out. */
  rawRoutes?: (services: Services) => readonly RawRoute[]
  /** OpenAPI documents by path, for calls outside the contract. */
  openApi?: (serverUrl: string) => Record<string, () => object>
  /** Kinds of background jobs. */
  jobs?: Readonly<Record<string, JobHandler>>
  /** Metrics for the operator. */
  gauges?: readonly Gauge[]
  /** Status probes by part of the platform; each part has one probe. */
  status?: StatusProbes
  /** The brand of the dashboard on this host; undefined for Signet's own host and for unverified hosts. */
  pageBrand?: (services: Services, host: string) => Promise<PageBrand | undefined>
  /** The registration mode shown by the dashboard. */
  registrationState?: (services: Services) => Promise<RegistrationState>
  /** The oldest value sealed by the feature, if any: used to check that the master key belongs to the database. */
  sealedValue?: (db: Reader) => Promise<SealedValue | undefined>
  /** Runs at start, before the first request; the returned function runs at stop. */
  start?: (services: Services, features: readonly Feature[]) => Promise<(() => Promise<void>) | void>
}

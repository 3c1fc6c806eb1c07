import type { Static, TSchema } from 'typebox'
import type { PlanFeature } from './plan-features.ts'
import { filled, type ErrorDefinitions, type Values } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Which door a call stands behind: its URL prefix and how its caller proves who it is. */
export type Area = 'website' | 'seller' | 'public'

export const areaPrefix: Record<Area, string> = {
  website: '/api/1.0/website',
  seller: '/api/1.0/seller',
  public: '/api/1.0',
}

/** Who may call. `account` is any signed-in owner or admin; `anyone` needs no session. */
export type CallAccess = 'anyone' | 'account' | 'admin' | 'reseller' | 'seller-key'

export interface CallDefinition {
  method: Method
  /** Relative to the prefix of its area; parameters as `{name}`. */
  path: string
  area?: Area
  access: CallAccess
  /**
   * The call acts on one app of the caller: `X-App-Id`, else `appId` or `appName`, else the selected app; those that
   * contradict each other are refused (R-TEN-07). `by-id` where `appName` is a field of the call's own; `optional`
   * where a call that names none has a meaning of its own.
   */
  app?: true | 'by-id' | 'optional'
  /** What a seller key must be allowed, of calls that stand behind one; part of the identity's own list. */
  scope?: string
  /** What the owner's plan must include; without it `PLAN_FEATURE_MISSING`. */
  planFeature?: PlanFeature
  /** Also answered under maintenance: what administrators need to come in, and others to sign out. */
  duringMaintenance?: true
  /** Pages of other origins may call it, as the platform's settings allow; it takes no cookie. */
  crossOrigin?: true
  /**
   * The caller must have proved the password within the last five minutes (R-SES-08). Every write of an administrator
   * needs it, so that a stale session takes no account over; `exempt` says why one doesn't.
   */
  recent?: true | { exempt: string }
  /** Honors `Idempotency-Key`: same key and body give the same reply (R-LED-07). */
  idempotent?: boolean
  /** The largest body it takes, in KiB; without it 100, or 16 where anyone may call (R-INP-02). */
  maxBodyKiB?: number
  /** Its body is `multipart/form-data`: one `file`, streamed, and the fields of `body` as text (R-UP-01). */
  upload?: true
  /** It answers with a file; `reply` says what a reader of the schemas would otherwise miss. */
  file?: true
  summary: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  reply: TSchema
  /** Named refusals of this call, besides those every call has (common-errors.ts). */
  errors?: ErrorDefinitions
  /** The specification's text for a failure that the server can't explain; without one, that of every call. */
  failure?: string
  /** What it answers when it went well, by code: the specification's English text. */
  successes?: Record<string, string>
}

export type Contract = Record<string, CallDefinition>

/** One call of a contract, with its literal types kept. */
export function defineCall<const D extends CallDefinition>(definition: D): D {
  return definition
}

/** Whether the caller must have proved the password within the last five minutes (R-SES-08). */
export const needsRecentProof = ({ recent, access, method }: CallDefinition): boolean =>
  recent === undefined ? access === 'admin' && method !== 'GET' : recent === true

/** The code and text of a success: `done(contract.createLicenses, 'LICENSES_CREATE_OK', { count })`. */
export function done<S extends Record<string, string>, K extends keyof S & string>(
  { successes }: { successes: S },
  code: K,
  values?: Values,
): { code: K; message: string; values?: Values } {
  return { code, message: filled(successes[code] as string, values), ...(values && { values }) }
}

type Part<D, K extends string> = D extends { [P in K]: infer S extends TSchema } ? Static<S> : undefined

export interface CallTypes<D extends CallDefinition> {
  params: Part<D, 'params'>
  query: Part<D, 'query'>
  body: Part<D, 'body'>
  reply: Static<D['reply']>
}

/** A contract as the dashboard sees it: `'GET /licenses'` to its types. */
export type CallsOf<C extends Contract> = {
  [K in keyof C as `${C[K]['method']} ${C[K]['path']}`]: CallTypes<C[K]>
}

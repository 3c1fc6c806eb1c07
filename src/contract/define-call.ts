import type { Static, TSchema } from 'typebox'
import type { PlanFeature } from './plan-features.ts'
import { filled, type ErrorDefinitions, type Values } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The API a call belongs to: it decides the URL prefix and how the caller authenticates. */
export type Area = 'website' | 'seller' | 'public'

export const areaPrefix: Record<Area, string> = {
  website: '/api/1.0/website',
  seller: '/api/1.0/seller',
  public: '/api/1.0',
}

/** Who may make the call. `account` is any signed-in owner or administrator; `anyone` needs no session. */
export type CallAccess = 'anyone' | 'account' | 'admin' | 'reseller' | 'seller-key'

export interface CallDefinition {
  method: Method
  /** Relative to the prefix of its area; parameters as `{name}`. */
  path: string
  area?: Area
  access: CallAccess
  /**
   * The call acts on one app of the caller: the one in `X-App-Id`, else in `appId` or `appName`, else the selected app.
   * Contradicting values are rejected (R-TEN-07). `by-id`: `appName` is a field of the call itself. `optional`: the
   * call also works without an app.
   */
  app?: true | 'by-id' | 'optional'
  /** The scope a seller key needs for this call; one of the list of the seller-key identity. `null`: any key. */
  scope?: string | null
  /** The feature the owner's plan must include; otherwise the call fails with `PLAN_FEATURE_MISSING`. */
  planFeature?: PlanFeature
  /** Also available during maintenance: calls with which administrators sign in and others sign out. */
  duringMaintenance?: true
  /** Pages of other origins may make the call, as the platform's settings allow; it uses no cookie. */
  crossOrigin?: true
  /**
   * The caller must have confirmed the password within the last five minutes (R-SES-08). Every write of an
   * administrator requires this, so that a stolen session cannot take over accounts; `exempt` gives the reason for an
   * exception.
   */
  recent?: true | { exempt: string }
  /** Honors `Idempotency-Key`: the same key and body return the same reply (R-LED-07). */
  idempotent?: boolean
  /** Maximum body size in KiB. Default: 100, or 16 for calls that anyone may make (R-INP-02). */
  maxBodyKiB?: number
  /** Maximum number of fields in the body. Default: 1,000 (R-INP-02). */
  maxBodyFields?: number
  /** The body is `multipart/form-data`: one streamed `file`, and the fields of `body` as text (R-UP-01). */
  upload?: true
  /** The response is a file instead of JSON. */
  file?: true
  summary: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  reply: TSchema
  /** Errors of this call, besides the common ones (common-errors.ts). */
  errors?: ErrorDefinitions
  /** Error text for unexpected failures; defaults to the common one. */
  failure?: string
  /** Success messages by code: the specification's English text. */
  successes?: Record<string, string>
  /** Dashboard calls with the same effect: "Show as API call" shows this call in place of them. */
  replaces?: readonly ReplacedCall[]
}

/** A dashboard call that a call of another API can replace. */
export interface ReplacedCall {
  /** E.g. `POST /toggle_ban_license`. */
  call: string
  /** Its names of parameters and fields, where they differ. A list there becomes one call for each element. */
  names?: Readonly<Record<string, string>>
  /** Its fields that a seller key implies. */
  implied?: readonly string[]
  /** Values that its body must have. */
  when?: Readonly<Record<string, string | boolean>>
}

export type Contract = Record<string, CallDefinition>

/** The rest of a definition, without what its name says. */
export type CallDetails = Omit<CallDefinition, 'method' | 'path'>

/** A call by its name, `defineCall('GET /licenses', { … })`. Keeps the literal types. */
export function defineCall<const M extends Method, const P extends string, const D extends CallDetails>(
  name: `${M} ${P}`,
  details: D,
): D & { method: M; path: P } {
  const [method, path] = name.split(' ') as [M, P]
  return { ...details, method, path }
}

/** A call of a signed-in owner on one app. */
export function appCall<
  const M extends Method,
  const P extends string,
  const D extends Omit<CallDetails, 'access' | 'app'>,
>(name: `${M} ${P}`, details: D) {
  return defineCall(name, { access: 'account', app: true, ...details } as const)
}

/** Whether the call requires that the password was confirmed within the last five minutes (R-SES-08). */
export const needsRecentVerification = ({ recent, access, method }: CallDefinition): boolean =>
  recent === undefined ? access === 'admin' && method !== 'GET' : recent === true

/** A reply with the text of its code, if it has one: `{ code: 'LICENSES_CREATE_OK', values: { count: 3 } }`. */
export function withMessage<R extends object>(
  { successes }: Pick<CallDefinition, 'successes'>,
  reply: R & { code?: string; values?: Values },
): R & { message?: string } {
  const text = reply.code === undefined ? undefined : successes?.[reply.code]
  return text === undefined ? reply : { ...reply, message: filled(text, reply.values) }
}

type Part<D, K extends string> = D extends { [P in K]: infer S extends TSchema } ? Static<S> : undefined

export interface CallTypes<D extends CallDefinition> {
  params: Part<D, 'params'>
  query: Part<D, 'query'>
  body: Part<D, 'body'>
  reply: Static<D['reply']>
}

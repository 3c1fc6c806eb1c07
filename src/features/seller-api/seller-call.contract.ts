import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import {
  type CallDefinition,
  type CallDetails,
  defineCall,
  type Method,
  type ReplacedCall,
} from '#contract/define-call.ts'
import type { Scope } from '#features/seller-keys/seller-keys.rules.ts'

/** Defaults of every seller API call: a Bearer key, the app of that key, and the scope the call requires, or null. */
export const sellerCall = <
  const M extends Method,
  const P extends string,
  const D extends Omit<CallDetails, 'area' | 'access' | 'app' | 'scope'> & { scope: Scope | null },
>(
  name: `${M} ${P}`,
  details: D,
) => defineCall(name, { area: 'seller', access: 'seller-key', app: true, ...details } as const)

/** The dashboard call that this one replaces, with its names of the fields that differ, and the values it must have. */
export const insteadOf = (
  { method, path, app }: Pick<CallDefinition, 'method' | 'path' | 'app'>,
  names: ReplacedCall['names'] = {},
  when: ReplacedCall['when'] = {},
): ReplacedCall => ({
  call: `${method} ${path}`,
  names,
  implied: ['appId', 'before', 'mustBeNew', ...(app === 'by-id' ? [] : ['appName'])],
  when,
})

/** The fields of a dashboard call, without the app (implied by the key) and the fields in the path. */
export function fieldsOf<P extends TProperties, const K extends string>(
  { properties }: TObject<P>,
  except: readonly K[],
) {
  const fields = Object.entries(properties).filter(([name]) => !(except as readonly string[]).includes(name))
  return Type.Object(Object.fromEntries(fields) as unknown as Omit<P, K>, { additionalProperties: false })
}

/** The page of a dashboard call for lists that count all their matching rows. */
export function allCounted<P extends TProperties & { isMore: TSchema }>({ properties }: TObject<P>) {
  const { isMore: _isMore, ...fields } = properties
  return Type.Object({ ...fields, total: Type.Integer({ description: 'Number of matching rows' }) })
}

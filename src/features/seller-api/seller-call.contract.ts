import { type TObject, type TProperties, Type } from 'typebox'
import { type CallDefinition, defineCall } from '#contract/define-call.ts'
import type { Scope } from '#features/seller-keys/seller-keys.rules.ts'

/** What every call of the seller API has: a Bearer key, that key's app, and the scope it needs. */
export const sellerCall = <
  const D extends Omit<CallDefinition, 'area' | 'access' | 'app' | 'scope'> & { scope: Scope },
>(
  call: D,
) => defineCall({ area: 'seller', access: 'seller-key', app: true, ...call } as const)

/** The same fields as a website call, without the app (the key has one) and without what the path names. */
export function fieldsOf<P extends TProperties, const K extends string>(
  { properties }: TObject<P>,
  except: readonly K[],
) {
  const fields = Object.entries(properties).filter(([name]) => !(except as readonly string[]).includes(name))
  return Type.Object(Object.fromEntries(fields) as unknown as Omit<P, K>, { additionalProperties: false })
}

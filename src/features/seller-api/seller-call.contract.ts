import type { TObject, TProperties, TSchema } from 'typebox'
import { type CallDefinition, defineCall } from '#contract/define-call.ts'
import { strict } from '#contract/fields.ts'
import type { Scope } from '#features/seller-keys/seller-keys.rules.ts'

/** What every call of the seller API has: a Bearer key, that key's app, and the scope it needs. */
export const sellerCall = <const D extends Omit<CallDefinition, 'area' | 'who' | 'app' | 'scope'> & { scope: Scope }>(
  call: D,
) => defineCall({ area: 'seller', who: 'seller-key', app: true, ...call } as const)

/** The same fields as a website call, without the app (the key has one) and without what the path names. */
export const fieldsOf = <P extends TProperties, const K extends keyof P & string>(schema: TObject<P>, except: readonly K[]) =>
  strict(
    Object.fromEntries(
      Object.entries(schema.properties).filter(([name]) => !(except as readonly string[]).includes(name)),
    ) as unknown as Pick<P, Exclude<keyof P, K>> & Record<string, TSchema>,
  )

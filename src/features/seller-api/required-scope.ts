import { sellerKeyErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { isFullAccess, type Scope } from '#features/seller-keys/seller-keys.rules.ts'
import type { SellerKeyActor } from '#server/audit/actors.ts'

export const hasScope = ({ scopes }: Pick<SellerKeyActor, 'scopes'>, scope: Scope): boolean =>
  isFullAccess(scopes) || scopes.includes(scope)

/** For what a call does or shows beyond the scope in its contract. */
export function requireScope(actor: Pick<SellerKeyActor, 'scopes'>, scope: Scope): void {
  if (!hasScope(actor, scope)) reject(sellerKeyErrors, 'SCOPE_MISSING', { values: { scope }, details: { scope } })
}

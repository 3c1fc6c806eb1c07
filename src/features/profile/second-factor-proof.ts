import { refuse } from '#contract/refusals.ts'
import { type Account, accountById, signInAgain } from '#features/accounts/accounts.actions.ts'
import { finishProof, type ProvedPassword, proveIdentity } from '#features/accounts/identity-proof.actions.ts'
import { hasSecondFactor } from '#features/accounts/two-factor.actions.ts'
import type { Tx } from '#database/database.ts'
import type { CallContext } from '#server/endpoint.ts'
import { type profileContract, profileRefusals } from './profile.contract.ts'

/** Calls that change a second factor which is on: they ask for the password and a code of it. */
type Call = Pick<CallContext<typeof profileContract.disableTwoFactor>, 'services' | 'actor' | 'body' | 'caller' | 'now'>

/** Works while the platform offers no second factor any more: who has one must be able to manage and end it. */
export async function proveSecondFactor({ services, actor, body, caller, now }: Call): Promise<ProvedPassword> {
  const account = (await accountById(services.db.read, actor.id)) ?? signInAgain()
  if (!hasSecondFactor(account)) refuse(profileRefusals, 'TWO_FACTOR_OFF')
  return proveIdentity(services, { accountId: actor.id, ...body, ip: caller.ip, now })
}

export async function finishSecondFactorProof(tx: Tx, context: Call, proved: ProvedPassword): Promise<Account> {
  const { services, body, now } = context
  const account = await finishProof(tx, services, proved, { code: body.code, now })
  if (!hasSecondFactor(account)) refuse(profileRefusals, 'TWO_FACTOR_OFF')
  return account
}

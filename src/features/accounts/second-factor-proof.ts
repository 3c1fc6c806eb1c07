import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import type { accountSecurityContract } from './account-security.contract.ts'
import { accountsRefusals } from './accounts.refusals.ts'
import type { CallContext } from '#server/endpoint.ts'
import { signInAgain } from './accounts.actions.ts'
import { type Account, findAccount } from './accounts.reads.ts'
import { finishProof, type ProvedPassword, proveIdentity } from './identity-proof.actions.ts'
import { hasSecondFactor } from './two-factor.actions.ts'

/** Calls that change a second factor which is on: they ask for the password and a code of it. */
type Call = Pick<
  CallContext<typeof accountSecurityContract.disableTwoFactor>,
  'services' | 'actor' | 'body' | 'caller' | 'now'
>

/** Works while the platform offers no second factor any more: who has one must be able to manage and end it. */
export async function proveSecondFactor({ services, actor, body, caller, now }: Call): Promise<ProvedPassword> {
  const account = (await findAccount(services.db.read, actor.id)) ?? signInAgain()
  if (!hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_OFF')
  return proveIdentity(services, { accountId: actor.id, ...body, ip: caller.ip, now })
}

export async function finishSecondFactorProof(tx: Tx, context: Call, proved: ProvedPassword): Promise<Account> {
  const { services, body, now } = context
  const account = await finishProof(tx, services, proved, { code: body.code, now })
  if (!hasSecondFactor(account)) refuse(accountsRefusals, 'TWO_FACTOR_OFF')
  return account
}

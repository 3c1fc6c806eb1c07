import { refuse } from '#contract/refusals.ts'
import { isTimeZone } from '#contract/time-zone.ts'
import { accountReply, changeProfile, signInAgain } from '#features/accounts/accounts.actions.ts'
import { findAccount } from '#features/accounts/accounts.reads.ts'
import { displayNameProblem, emailProblem } from '#features/accounts/accounts.rules.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { requireRecentProof } from '#server/guard.ts'
import { profileContract } from '../profile.contract.ts'
import { profileRefusals } from '../profile.refusals.ts'

export const updateProfile = endpoint(profileContract.updateProfile, {
  write: async (tx, context) => {
    const { services, actor, body } = context
    const account = (await findAccount(tx.db, actor.id)) ?? signInAgain()
    if (body.username !== undefined && body.username !== account.username) refuse(profileRefusals, 'USERNAME_FIXED')
    const email = body.email?.trim() ?? account.email
    const displayName = body.displayName?.trim() ?? account.display_name
    const problem = emailProblem(email) ?? displayNameProblem(displayName)
    if (problem) refuse(profileRefusals, 'PROFILE_INVALID', { values: { problem } })
    const timeZone = body.timeZone === undefined ? account.time_zone : body.timeZone
    if (typeof body.timeZone === 'string' && !isTimeZone(body.timeZone)) refuse(profileRefusals, 'TIME_ZONE_UNKNOWN')
    const changesEmail = email !== account.email
    if (changesEmail) requireRecentProof(services, actor)
    const updated = await changeProfile(tx, account, { email, displayName, timeZone })
    await recordAudit(tx, context, { act: 'account.update', target: account.username, details: { changesEmail } })
    return { message: 'Profile updated successfully', user: accountReply(updated) }
  },
})

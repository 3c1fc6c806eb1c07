import { done } from '#contract/define-call.ts'
import { accountReply } from '#features/accounts/accounts.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { requireVerificationOfAddressChange, updateProfile as updateProfileAction } from '../profile.actions.ts'
import { profileContract } from '../profile.contract.ts'

const call = profileContract.updateProfile

export const updateProfile = endpoint(call, {
  prepare: requireVerificationOfAddressChange,
  write: async (tx, context) => {
    const updated = await updateProfileAction(tx, context, context.body)
    return { ...done(call, 'PROFILE_UPDATE_OK'), user: accountReply(updated) }
  },
})

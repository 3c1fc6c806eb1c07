import { accountReply } from '#features/accounts/accounts.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { requireVerificationOfAddressChange, updateProfile as updateProfileAction } from '../profile.actions.ts'
import { profileContract } from '../profile.contract.ts'

export const updateProfile = endpoint(profileContract.updateProfile, {
  prepare: requireVerificationOfAddressChange,
  write: async (tx, context) => {
    const updated = await updateProfileAction(tx, context, context.body)
    return { code: 'PROFILE_UPDATE_OK', user: accountReply(updated) }
  },
})

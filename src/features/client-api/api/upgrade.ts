import { reject } from '#contract/errors.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { redeemAnother } from '../redeem-another.ts'
import { lockSignedInUser } from '../running-user.ts'
import { userReply } from '../sign-in.ts'

/** Redeems another license for the signed-in user, even if the previous subscription has expired meanwhile. */
export const upgrade: ProgramHandler<'upgrade'> = async (context) => {
  const { write, session, body } = context
  if (!session.user) reject(clientErrors, 'NOT_SIGNED_IN')
  return write(async (tx) => {
    const user = await lockSignedInUser(tx, context)
    const access = await redeemAnother(tx, context, { user, licenseKey: body.licenseKey })
    return { expiresAt: session.row.expires_at, user: userReply(user, access) }
  })
}

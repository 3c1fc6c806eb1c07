import { refuse } from '#contract/refusals.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { createUser } from '#features/users/users.actions.ts'
import { findUser } from '#features/users/users.reads.ts'
import { clientRefusals } from '../client-api.refusals.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid } from '../hardware-id.ts'
import { firstSignIn, redeem, signIn, signInNew } from '../sign-in.ts'

/** Signs in with a key alone. The first time the key becomes a user of its own name ("Same as license"). */
export const license: ProgramHandler<'license'> = async (context) => {
  const { services, app, body, now } = context
  const appId = app.row.id
  checkHwid(app, body.hwid)
  return services.db.write(async (tx) => {
    const known = await findLicense(tx.db, appId, body.key)
    if (!known) refuse(clientRefusals, 'LICENSE_NOT_FOUND')
    if (known.banned === 1) refuse(clientRefusals, 'LICENSE_BANNED')
    if (known.used === 1) {
      const user = known.used_by === known.license ? await findUser(tx.db, appId, known.license) : undefined
      if (!user) refuse(clientRefusals, 'LICENSE_ALREADY_USED')
      return signIn(tx, context, { user, hwid: body.hwid, licenseId: known.id })
    }
    const user = await createUser(tx, {
      appId,
      username: known.license,
      passwordHash: null,
      email: '',
      signIn: firstSignIn(context, body.hwid),
      now,
    })
    // Somebody else redeemed it or took its name in this very moment.
    const redeemed = user && (await redeem(tx, context, { license: known.license, user }))
    if (!redeemed) refuse(clientRefusals, 'LICENSE_ALREADY_USED')
    return signInNew(tx, context, { user, hwid: body.hwid, licenseId: redeemed.id })
  })
}

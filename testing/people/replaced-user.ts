import { createUser } from '#features/users/users.actions.ts'
import type { ProgramSetup } from './program-setup.ts'

/**
 * Deletes the user who has signed in with the key of the test, and creates one of the same name. The process of the
 * session hasn't heard of it yet.
 */
export async function replaceUser({ app, owner, program, key }: ProgramSetup): Promise<void> {
  await program.heartbeat()
  await app.db.write(async (tx) => {
    await tx.db.deleteFrom('users').where('app_id', '=', owner.appId).where('username', '=', key).execute()
    await createUser(tx, { appId: owner.appId, username: key, passwordHash: null, email: '', now: app.now() })
  })
}

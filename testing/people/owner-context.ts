import type { AppContext } from '#server/audit/audit.ts'
import type { AccountActor, AppScope } from '#server/audit/actors.ts'

/** An owner as the actor of a direct action on an app; `now` in epoch seconds. */
export const ownerContext = (app: AppScope, now: number): AppContext & { actor: AccountActor } => ({
  actor: { type: 'owner', id: app.ownerId, username: '', sessionHash: '', verifiedAt: 0, selectedAppId: null },
  app,
  now,
  caller: { ip: '127.0.0.1', requestId: 'seed' },
})

import { findPlanRoom } from '#features/apps/apps.actions.ts'
import { countLicensesOfApps, licensesInAnyCase } from '#features/licenses/licenses.reads.ts'
import { countUsersOfApps, findUsersByName } from '#features/users/users.reads.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { hashesOfHwids } from '../imported-hwids.ts'
import { importsContract } from '../imports.contract.ts'
import { levelsOf, planLicenses, planUsers } from '../plan-batch.ts'

const call = importsContract.checkImport

export const checkImport = endpoint(call, {
  read: async (context) => {
    const { services, app, body } = context
    const { read } = services.db
    const plan = await planOf(context)
    const kind = body.users ? 'usersPerApp' : 'licensesPerApp'
    const room = await findPlanRoom(read, {
      appId: app.id,
      kind,
      now: context.now,
      count: () => countOf(context, kind),
    })
    const { valid, conflicts, results } = plan
    return { valid, conflicts, results: results.toSorted((one, other) => one.row - other.row), room }
  },
})

async function planOf({ services, app, body }: CallContext<typeof call>) {
  const { read } = services.db
  const { onConflict = 'skip', durationUnit = 'days', licenses = [], users, withHwids } = body
  // The check doesn't need to know which level a label stands for.
  const levelOf = levelsOf(body.levels.map((label, at) => ({ label, level: at + 1 })))
  if (!users) {
    const keys = [...new Set(licenses.map(({ key }) => key.trim()))]
    const existing = await licensesInAnyCase(read, app.id, keys).selectAll().execute()
    return planLicenses(licenses, { onConflict, durationUnit }, { levelOf, existing })
  }
  const hwids = withHwids === true ? await hashesOfHwids(services, app, users) : undefined
  const find = async (names: readonly string[]) =>
    new Map((await findUsersByName(read, app.id, names)).map((user) => [user.username_key, user]))
  return planUsers(users, { onConflict }, { levelOf, hwids, find })
}

async function countOf({ services, app }: CallContext<typeof call>, kind: 'usersPerApp' | 'licensesPerApp') {
  const counts = await (kind === 'usersPerApp' ? countUsersOfApps : countLicensesOfApps)(services.db.read, [app.id])
  return counts.get(app.id) ?? 0
}

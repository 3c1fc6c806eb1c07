import { accountKind } from '#features/accounts/account-kind.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { saveFollowLogs } from '../preferences.actions.ts'
import { preferencesContract } from '../preferences.contract.ts'
import { preferenceEndpoints } from '../preferences.endpoints.ts'

export const preferenceCalls: readonly Endpoint[] = [
  ...Object.values(preferenceEndpoints(preferencesContract, accountKind)),
  // Resellers have no log.
  endpoint(preferencesContract.saveFollowLogs, {
    write: async (tx, { actor, now, body }) => {
      await saveFollowLogs(tx, { kind: accountKind, actor, now }, body.followLogs)
      return {}
    },
  }),
]

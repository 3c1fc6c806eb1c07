import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { replaceAppKeys, retireReplacedKeys } from '../app-keys.actions.ts'
import { appsContract as contract } from '../apps.contract.ts'
import { listReplacedKeys } from '../apps.reads.ts'

export const replacedKeyCalls: readonly Endpoint[] = [
  endpoint(contract.replacedKeys, {
    read: async ({ services: { db }, app }) => ({
      replacedAt: (await listReplacedKeys(db.read, app.id)).map(({ replaced_at }) => replaced_at),
    }),
  }),
  endpoint(contract.replaceKeys, {
    write: async (tx, context) => {
      const { box_public_key, root_public_key } = await replaceAppKeys(tx, context)
      return {
        code: 'APP_KEYS_REPLACE_OK',
        clientObfuscationKey: box_public_key,
        serverObfuscationKey: root_public_key,
      }
    },
  }),
  endpoint(contract.retireKeys, {
    write: async (tx, context) => ({ retired: await retireReplacedKeys(tx, context), code: 'APP_KEYS_RETIRE_OK' }),
  }),
]

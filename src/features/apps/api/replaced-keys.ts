import { endpoint } from '#server/http/endpoint.ts'
import { replaceAppKeys, retireReplacedKeys } from '../app-keys.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { listReplacedKeys } from '../apps.reads.ts'

export const replacedKeys = endpoint(appsContract.replacedKeys, {
  read: async ({ services: { db }, app }) => ({
    replacedAt: (await listReplacedKeys(db.read, app.id)).map(({ replaced_at }) => replaced_at),
  }),
})

export const replaceKeys = endpoint(appsContract.replaceKeys, {
  write: async (tx, context) => {
    const { box_public_key, root_public_key } = await replaceAppKeys(tx, context)
    return { code: 'APP_KEYS_REPLACE_OK', clientObfuscationKey: box_public_key, serverObfuscationKey: root_public_key }
  },
})

export const retireKeys = endpoint(appsContract.retireKeys, {
  write: async (tx, context) => ({ retired: await retireReplacedKeys(tx, context), code: 'APP_KEYS_RETIRE_OK' }),
})

import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { replaceAppKeys, retireReplacedKeys } from '../app-keys.actions.ts'
import { appsContract } from '../apps.contract.ts'
import { listReplacedKeys } from '../apps.reads.ts'

const { replaceKeys: replace, retireKeys: retire } = appsContract

export const replacedKeys = endpoint(appsContract.replacedKeys, {
  read: async ({ services: { db }, app }) => ({
    replacedAt: (await listReplacedKeys(db.read, app.id)).map(({ replaced_at }) => replaced_at),
  }),
})

export const replaceKeys = endpoint(replace, {
  write: async (tx, context) => {
    const { box_public_key, root_public_key } = await replaceAppKeys(tx, context)
    return {
      ...done(replace, 'APP_KEYS_REPLACE_OK'),
      clientObfuscationKey: box_public_key,
      serverObfuscationKey: root_public_key,
    }
  },
})

export const retireKeys = endpoint(retire, {
  write: async (tx, context) => ({
    retired: await retireReplacedKeys(tx, context),
    ...done(retire, 'APP_KEYS_RETIRE_OK'),
  }),
})

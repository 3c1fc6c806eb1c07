import { plural, t } from '@lingui/core/macro'
import { brand } from '../browser/brand.ts'

export interface KeyOffer {
  appName: string
  /** How long the keys are valid, as text; undefined if they never expire. */
  length: string | undefined
}

/** The text that brings keys to a customer, in the reader's language. */
export function keyMessage(keys: readonly string[], { appName, length }: KeyOffer): string {
  const count = keys.length
  const seller = brand?.name
  return [
    plural(count, { one: `Your license key for ${appName}:`, other: `Your # license keys for ${appName}:` }),
    '',
    ...keys,
    '',
    length === undefined
      ? plural(count, { one: 'It never expires.', other: 'They never expire.' })
      : plural(count, {
          one: `Valid for ${length} from first use.`,
          other: `Each is valid for ${length} from first use.`,
        }),
    plural(count, {
      one: `Open ${appName} and enter the key when it asks for one.`,
      other: `Open ${appName} and enter a key when it asks for one.`,
    }),
    ...(seller ? ['', t`Sold by ${seller}`] : []),
  ].join('\n')
}

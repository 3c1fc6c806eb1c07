import { plural, t } from '@lingui/core/macro'

interface Movement {
  description: string
  transactionType: string
}

/** Translates the description of a credit transaction; the API returns it in English. */
export function transactionText({ description, transactionType }: Movement): string {
  const [, made] = /^Generated (\d+) licenses?$/.exec(description) ?? []
  const [, restored] = /^Restored (\d+) licenses?$/.exec(description) ?? []
  const [, license] = /^Refund of (.+)$/.exec(description) ?? []
  if (made) {
    const count = Number(made)
    return plural(count, { one: 'Generated # license', other: 'Generated # licenses' })
  }
  if (restored) {
    const count = Number(restored)
    return plural(count, { one: 'Restored # license', other: 'Restored # licenses' })
  }
  if (license) return t`Refund of ${license}`
  if (description === 'App removed') return t`App removed`
  if (transactionType === 'addition') return t`Credits added`
  return transactionType === 'set' ? t`Credits set` : description
}

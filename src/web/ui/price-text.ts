import { i18n } from '@lingui/core'

/** US dollars in the reader's language: `$9.99`, and `$0` without cents. */
export const priceText = (dollars: number): string =>
  new Intl.NumberFormat(i18n.locale || 'en', {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(dollars)

import { t } from '@lingui/core/macro'
import { countryText } from '#web/ui/country-text.ts'

/** Countries whose English names have an article. */
const withArticle: ReadonlySet<string> = new Set(
  'AE BS CD CF CG CK CZ DO FK FO GB GM IM KM KY MH MP MV NL PH SB SC TC US VA VG VI'.split(' '),
)

/** `country` is its ISO code, or empty if unknown. A program that has not been heard of for a while ran, and may not run. */
export function runningText(country: string, isRecent: boolean): string {
  if (country === '') return isRecent ? t`Your program is running.` : t`Your program has run.`
  const name = countryText(country)
  if (withArticle.has(country)) {
    return isRecent ? t`Your program is running in the ${name}.` : t`Your program has run in the ${name}.`
  }
  return isRecent ? t`Your program is running in ${name}.` : t`Your program has run in ${name}.`
}

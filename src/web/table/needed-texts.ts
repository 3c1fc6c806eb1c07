import { unitSeconds } from '#contract/duration.ts'
import { nowSeconds } from '../time/clock.ts'
import { endText, timeAgoText } from '../time/time-text.ts'
import { currentTimeZone } from '../browser/time-zone.ts'

/** What a column of times needs (`needs`). Figures grow as time passes, so each counts as two digits at least. */

const present = () => ({ now: nowSeconds(), timeZone: currentTimeZone() })
const grown = (text: string) => text.replaceAll(/\b\d\b/g, '00')

/** Of `TimeAgo`, whose date gives way. */
export function neededOfAgo(at: number | null): string {
  if (at === null) return ''
  const { relative, absolute } = timeAgoText(at, present())
  return grown(relative === '' ? absolute : relative)
}

/** Of `TimeLeft`: its date gives way only in the last two days. */
export function neededOfEnd(until: number): string {
  const now = present()
  const { relative, absolute } = endText(until, now)
  const keepsDate = until - now.now >= 2 * unitSeconds.days
  return grown(keepsDate ? `${relative} · ${absolute}` : relative)
}

/** Of `MachineText`, whose letters are as wide as a zero; longer texts have a tooltip. */
export const neededOfMachine = (text: string, longest: number): string => '0'.repeat(Math.min(text.length, longest))

export const ipv4Length = 15

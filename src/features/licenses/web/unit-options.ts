import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { addTimeUnits, createUnits } from '../licenses.rules.ts'

type TimeUnit = (typeof createUnits)[number] | (typeof addTimeUnits)[number]

const unitNames: Record<TimeUnit, MessageDescriptor> = {
  seconds: msg`Seconds`,
  minutes: msg`Minutes`,
  days: msg`Days`,
  weeks: msg`Weeks`,
  months: msg`Months`,
  years: msg`Years`,
  lifetime: msg`Lifetime`,
}

/** Units of time as options of a choice. */
export const unitOptions = (units: readonly TimeUnit[]) =>
  units.map((value) => ({ value, label: i18n._(unitNames[value]) }))

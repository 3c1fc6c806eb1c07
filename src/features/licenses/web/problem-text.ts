import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import {
  type addTimeUnits,
  amountRange,
  createProblem,
  type createUnits,
  type LicenseSpec,
  maskProblem,
} from '../licenses.rules.ts'

/** Texts of the shared rules, in the reader's language. */
const texts: Record<string, MessageDescriptor> = {
  'Please enter a valid amount': msg`Please enter a valid amount`,
  'Please enter a license mask': msg`Please enter a license mask`,
  'The license mask can only contain visible characters without spaces': msg`The license mask can only contain visible characters without spaces`,
  'Please select a subscription': msg`Please select a subscription`,
  'Please enter a duration': msg`Please enter a duration`,
  'The duration can be at most 1000 years': msg`The duration can be at most 1000 years`,
}

export function problemText(problem: string): string {
  const known = texts[problem]
  if (known) return i18n._(known)
  const [count] = /\d+/.exec(problem) ?? []
  if (count && problem.startsWith('Keys of this mask')) {
    return t`Keys of this mask could be guessed: use at least ${count} # characters`
  }
  if (count && problem.startsWith('The license mask')) return t`The license mask can have at most ${count} characters`
  return problem
}

export type CreateField = 'amount' | 'mask' | 'level' | 'duration'

/** The first problem and the field it belongs to. */
export function createFieldProblem(form: LicenseSpec): { field: CreateField; text: string } | undefined {
  const problem = createProblem(form)
  if (problem === undefined) return undefined
  return { field: fieldOf(form), text: problemText(problem) }
}

function fieldOf(form: LicenseSpec): CreateField {
  const { amount, level } = form
  if (!Number.isInteger(amount) || amount < amountRange.min || amount > amountRange.max) return 'amount'
  if (maskProblem(form)) return 'mask'
  return level === undefined ? 'level' : 'duration'
}

type Unit = (typeof createUnits)[number] | (typeof addTimeUnits)[number]

const unitNames: Record<Unit, MessageDescriptor> = {
  seconds: msg`Seconds`,
  minutes: msg`Minutes`,
  days: msg`Days`,
  weeks: msg`Weeks`,
  months: msg`Months`,
  years: msg`Years`,
  lifetime: msg`Lifetime`,
}

export const unitOptions = (units: readonly Unit[]) =>
  units.map((value) => ({ value, label: i18n._(unitNames[value]) }))

import { Type } from 'typebox'
import { type DurationUnit, unitSeconds } from './duration.ts'
import { oneOf } from './fields.ts'

const units = Object.keys(unitSeconds) as DurationUnit[]

const unitField = <U extends string>(values: readonly U[]) => oneOf(values, { rejection: 'TIME_UNIT_REQUIRED' })

/** All calls accept all units; the dashboard offers fewer. */
export const UnitField = unitField(units)

export const ExpiryUnitField = unitField([...units, 'lifetime' as const])

/** Number of units. */
export const DurationField = Type.Integer({ minimum: 1, maximum: 1e12, rejection: 'DURATION_REQUIRED' })

import { type Plan, type PlanLimits, standardPlans, unlimited } from '#features/plans/plans.rules.ts'
import { number } from '../page.ts'
import type { Limit } from './limit.ts'

const limitText = (limit: number, unit: string): string =>
  limit === unlimited ? 'unlimited' : `${number(limit)}${unit}`

/** `Free 1, Developer 5, Pro unlimited` */
const ofPlans = (key: keyof PlanLimits, unit = ''): string =>
  standardPlans.map(({ displayName, limits }: Plan) => `${displayName} ${limitText(limits[key], unit)}`).join(', ')

const setting = '**Manage Plans**'

export const planLimits = (): Limit[] => [
  { what: 'Apps of an owner', value: ofPlans('apps'), code: 'APP_LIMIT_REACHED', setting },
  { what: 'Users of an app', value: ofPlans('usersPerApp'), code: 'USER_LIMIT_REACHED', setting },
  { what: 'Licenses of an app', value: ofPlans('licensesPerApp'), code: 'LICENSE_LIMIT_REACHED', setting },
  { what: 'Variables of an app', value: ofPlans('variablesPerApp'), code: 'APP_VARIABLE_LIMIT_REACHED', setting },
  { what: 'Files of an owner together', value: ofPlans('storageMb', ' MB'), code: 'STORAGE_LIMIT_REACHED', setting },
]

import type { Problem } from '#contract/errors.ts'
import type { resellersErrors } from './resellers.errors.ts'

/** Rules for what a reseller may sell. Runs in the server and the dashboard. */

/** In days. */
export const builtInPlans = [1, 7, 30, 90, 365] as const
export const maxPlanDays = 36_500
export const customPlanUnits = ['hours', 'days', 'weeks', 'months'] as const
export type CustomPlanUnit = (typeof customPlanUnits)[number]

export const setupSeconds = 7 * 86_400
/** Lifetime of a link that confirms a new email address. */
export const emailLinkHours = 24
export const defaultPrimaryColor = '#1bff00'
export const defaultSecondaryColor = '#8B5CF6'

type ResellerProblem = Problem<keyof typeof resellersErrors>

const daysOfUnit: Record<CustomPlanUnit, number> = { hours: 1 / 24, days: 1, weeks: 7, months: 30 }

/** Whole days, rounded up from hours; undefined if invalid as a plan. */
export function customPlanDays(duration: number, unit: CustomPlanUnit): number | undefined {
  const days = Math.ceil(duration * daysOfUnit[unit])
  return Number.isInteger(duration) && isPlanDays(days) ? days : undefined
}

const isPlanDays = (days: number): boolean => Number.isInteger(days) && days >= 1 && days <= maxPlanDays

/** Parses a plan, which is its number of days as a string; undefined if invalid. */
export function planDays(plan: string): number | undefined {
  const days = /^[1-9]\d{0,5}$/.test(plan) ? Number(plan) : NaN
  return isPlanDays(days) ? days : undefined
}

export interface ResellerConfig {
  allowedPlans: string[]
  /** Credits by plan; a plan without a cost is not for sale, one that costs 0 is free. */
  planCosts: Record<string, number>
  /** An empty list allows all levels. */
  allowedLevels: number[]
}

export function configProblem({ allowedPlans, planCosts }: Partial<ResellerConfig>): ResellerProblem | undefined {
  if (allowedPlans?.some((plan) => planDays(plan) === undefined)) return { code: 'PLAN_INVALID', field: 'allowedPlans' }
  const costs = Object.keys(planCosts ?? {})
  return costs.every((plan) => planDays(plan) !== undefined) ? undefined : { code: 'PLAN_INVALID', field: 'planCosts' }
}

/** Credits for a license of this plan; undefined while the plan has no cost. */
export const planPrice = ({ planCosts }: Pick<ResellerConfig, 'planCosts'>, plan: string): number | undefined =>
  Object.hasOwn(planCosts, plan) ? planCosts[plan] : undefined

/** The allowed plans that have a cost, with that cost. */
export const plansForSale = (config: Pick<ResellerConfig, 'allowedPlans' | 'planCosts'>) =>
  config.allowedPlans.flatMap((plan) => {
    const cost = planPrice(config, plan)
    return cost === undefined ? [] : [{ plan, cost }]
  })

export const mayUseLevel = ({ allowedLevels }: Pick<ResellerConfig, 'allowedLevels'>, level: number): boolean =>
  allowedLevels.length === 0 || (level !== noLevel && allowedLevels.includes(level))

/** Stands for levels that were allowed and don't exist any more, because an empty list allows all. */
export const noLevel = 0

/**
 * Those of the allowed levels that exist. A new level may have the number of a deleted one, but not what it was allowed
 * for. `created` has the time of each level of the app, `times` that of the allowed ones, as far as it is known.
 */
export function existingLevels(
  allowed: readonly number[],
  { times, created }: { times: Readonly<Record<string, number>>; created: ReadonlyMap<number, number> },
): number[] {
  const existing = allowed.filter(
    (level) => created.has(level) && (times[level] ?? created.get(level)) === created.get(level),
  )
  return allowed.length > 0 && existing.length === 0 ? [noLevel] : existing
}

/** Whether some levels are selected that exist. */
export const hasLevels = (allowed: readonly number[]): boolean => allowed.some((level) => level !== noLevel)

/** Setup progress of an assigned app: credits, a plan, a chosen level. */
export const configuredParts = (
  credits: number,
  { allowedPlans, allowedLevels }: Pick<ResellerConfig, 'allowedPlans' | 'allowedLevels'>,
): number => Number(credits > 0) + Number(allowedPlans.length > 0) + Number(hasLevels(allowedLevels))

export interface DomainForm {
  domain: string
  companyName: string
  logoUrl: string
  primaryColor: string
  secondaryColor: string
}

const domainShape = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
const colorShape = /^#[\da-f]{6}$/i

export const isColor = (color: string): boolean => colorShape.test(color)

/** Literal https URL without user info or characters that could end it in HTML or CSS. */
const isLogoAddress = (address: string): boolean =>
  /^https:\/\/[^/?#@]+([/?#]|$)/i.test(address) && !/[\s\p{C}\\"'`<>{}^|]/u.test(address) && URL.canParse(address)

/** Normal form for comparison: no trailing dot, lowercase, IDN in ASCII. Invalid input stays invalid. */
export function domainKey(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, '')
  // Characters that mean more than the host in a URL.
  if (name === '' || /[\s/\\@:?#%[\]<>^|]/.test(name)) return name
  const url = URL.parse(`http://${name}/`)
  return url ? url.hostname.replace(/\.$/, '') : name
}

export function domainProblem({ domain, ...form }: DomainForm): ResellerProblem | undefined {
  if (domain.trim() === '') return { code: 'DOMAIN_REQUIRED', field: 'domain' }
  if (!domainShape.test(domainKey(domain))) return { code: 'DOMAIN_INVALID', field: 'domain' }
  if (form.logoUrl !== '' && !isLogoAddress(form.logoUrl)) return { code: 'LOGO_URL_INVALID', field: 'logoUrl' }
  for (const field of ['primaryColor', 'secondaryColor'] as const)
    if (!isColor(form[field])) return { code: 'COLOR_INVALID', field }
  return undefined
}

/** How long a verified domain may be without its TXT record; checks run daily. */
export const recordLossSeconds = 7 * 86_400

/** Name of the TXT record that verifies a domain. */
export const domainRecordName = (domain: string): string => `_signet.${domain}`

/** Value of that TXT record. */
export const domainRecordValue = (token: string): string => `signet-domain=${token}`

/** License totals; the usage rate is in percent. */
export const licenseStats = (used: number, unused: number) => ({
  totalLicensesGenerated: used + unused,
  total: used + unused,
  used,
  unused,
  usage_rate: used + unused === 0 ? 0 : Math.round((used / (used + unused)) * 1000) / 10,
})

/** Target for CNAME records: a public host name. Empty if the public URL has an IP address or a name without a dot. */
export function cnameTarget(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return isAddress || !hostname.includes('.') ? '' : hostname
}

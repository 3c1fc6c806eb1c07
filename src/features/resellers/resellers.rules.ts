import type { Problem } from '#contract/errors.ts'
import type { resellersErrors } from './resellers.errors.ts'

/** What a reseller may sell. Runs in the server and the dashboard. */

/** Days. */
export const builtInPlans = [1, 7, 30, 90, 365] as const
export const maxPlanDays = 36_500
export const customPlanUnits = ['hours', 'days', 'weeks', 'months'] as const
export type CustomPlanUnit = (typeof customPlanUnits)[number]

/** How long a set-up link works. */
export const setupSeconds = 7 * 86_400
/** How long a link works that confirms another address. */
export const emailLinkHours = 24
export const defaultPrimaryColor = '#1bff00'
export const defaultSecondaryColor = '#8B5CF6'

type ResellerProblem = Problem<keyof typeof resellersErrors>

const daysOfUnit: Record<CustomPlanUnit, number> = { hours: 1 / 24, days: 1, weeks: 7, months: 30 }

/** Whole days, hours rounded up; undefined when that is no plan. */
export function customPlanDays(duration: number, unit: CustomPlanUnit): number | undefined {
  const days = Math.ceil(duration * daysOfUnit[unit])
  return Number.isInteger(duration) && isPlanDays(days) ? days : undefined
}

const isPlanDays = (days: number): boolean => Number.isInteger(days) && days >= 1 && days <= maxPlanDays

/** A plan is its number of days as text; undefined when it is none. */
export function planDays(plan: string): number | undefined {
  const days = /^[1-9]\d{0,5}$/.test(plan) ? Number(plan) : NaN
  return isPlanDays(days) ? days : undefined
}

export interface ResellerConfig {
  allowedPlans: string[]
  /** Credits by plan; a plan without a cost is not for sale, one that costs 0 is free. */
  planCosts: Record<string, number>
  /** None means all. */
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

/** The allowed plans that have a cost, with it. */
export const plansForSale = (config: Pick<ResellerConfig, 'allowedPlans' | 'planCosts'>) =>
  config.allowedPlans.flatMap((plan) => {
    const cost = planPrice(config, plan)
    return cost === undefined ? [] : [{ plan, cost }]
  })

/** Whether a reseller may sell this level. */
export const mayUseLevel = ({ allowedLevels }: Pick<ResellerConfig, 'allowedLevels'>, level: number): boolean =>
  allowedLevels.length === 0 || allowedLevels.includes(level)

/** How much of an app's configuration is done: credits, a plan, a level that is chosen. */
export const configuredParts = (
  credits: number,
  { allowedPlans, allowedLevels }: Pick<ResellerConfig, 'allowedPlans' | 'allowedLevels'>,
): number => Number(credits > 0) + Number(allowedPlans.length > 0) + Number(allowedLevels.length > 0)

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

/** An https address as it is written, without a user (R-INP-04) and without what HTML or CSS could take for its end. */
const isLogoAddress = (address: string): boolean =>
  /^https:\/\/[^/?#@]+([/?#]|$)/i.test(address) && !/[\s\p{C}\\"'`<>{}^|]/u.test(address) && URL.canParse(address)

/** As names are compared: without the root's dot, small, international ones in their ASCII form. Junk stays junk. */
export function domainKey(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, '')
  // What a URL gives a meaning beyond the host.
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

/** How long a proved domain may be without its record; it is looked at every day. */
export const proofLossSeconds = 7 * 86_400

/** Where the TXT record stands that proves whose a domain is. */
export const proofName = (domain: string): string => `_signet.${domain}`

/** What it says. */
export const proofText = (proof: string): string => `signet-domain=${proof}`

/** Totals of licenses; the usage rate in per cent. */
export const licenseStats = (used: number, unused: number) => ({
  totalLicensesGenerated: used + unused,
  total: used + unused,
  used,
  unused,
  usage_rate: used + unused === 0 ? 0 : Math.round((used / (used + unused)) * 1000) / 10,
})

/** Where a CNAME record may lead: to a name that others know. Empty where the server is public at an address or a bare name. */
export function cnameTarget(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return isAddress || !hostname.includes('.') ? '' : hostname
}

import type { FrameSurroundings } from '#contract/frame-address.ts'
import { type Problem, refuseProblem } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { findPlan } from '#features/plans/plans.reads.ts'
import { unlimitedPlan } from '#features/plans/plans.rules.ts'
import { type AccountContext, recordAudit } from '#server/audit.ts'
import { refuseFieldConflict } from '#server/field-conflict.ts'
import {
  lockSettings,
  type PlatformSettings,
  type SettingsGroup,
  smtpPasswordPlace,
  storeSettings,
} from '#server/platform-settings.ts'
import type { Services } from '#server/services.ts'
import { settingsRefusals } from './admin.refusals.ts'
import {
  maintenanceMessageProblem,
  originsProblem,
  platformNameProblem,
  requestSizeProblem,
  senderEmailProblem,
  smtpHostProblem,
  statusPageProblem,
} from './admin.rules.ts'

type SettingsContext = AccountContext & { services: Pick<Services, 'config' | 'settings' | 'masterKey'> }

interface SettingsChange {
  settings: object
  before?: object | undefined
}

type SettingsProblem = Problem<keyof typeof settingsRefusals> | undefined

type ProblemsOf<G extends SettingsGroup> = (
  group: PlatformSettings[G],
  surroundings: FrameSurroundings,
) => Record<string, SettingsProblem>

/** What is wrong with a whole group, by field. */
const problemsOf: { [G in SettingsGroup]: ProblemsOf<G> } = {
  platform: ({ platformName, maintenanceMessage, maintenanceMode, statusPageUrl }, surroundings) => ({
    statusPageUrl: statusPageProblem(statusPageUrl, surroundings),
    platformName: platformNameProblem(platformName),
    maintenanceMessage: maintenanceMessageProblem(maintenanceMessage, maintenanceMode),
  }),
  email: (email) => ({ smtpHost: smtpHostProblem(email), senderEmail: senderEmailProblem(email) }),
  api: ({ maxRequestSize, allowedOrigins, enableCORS }) => ({
    maxRequestSize: requestSizeProblem(maxRequestSize),
    allowedOrigins: originsProblem(allowedOrigins, enableCORS),
  }),
  security: () => ({}),
}

/** Changes the fields that are given. Every process works by them as soon as they are committed. */
export async function saveSettings<G extends SettingsGroup>(
  tx: Tx,
  context: SettingsContext,
  name: G,
  { settings, before }: SettingsChange,
): Promise<void> {
  const stored = await lockSettings(tx, name)
  const current = { ...context.services.settings.defaults[name], ...stored }
  const { smtpPassword, ...visible } = settings as { smtpPassword?: string }
  const given = Object.entries(visible).filter(([, value]) => value !== undefined)
  const changed = Object.fromEntries(
    given.map(([field, value]) => [field, field === 'statusPageUrl' ? String(value).trim() : value]),
  )
  refuseFieldConflict({ before, change: changed }, current as Record<string, unknown>)
  const next = {
    ...current,
    ...changed,
    // What is stored was given to one host: nobody can have it sent to another.
    ...(isOtherHost(current, changed) && { smtpPasswordSealed: '' }),
    // An empty one keeps what is stored: it is never sent to whoever edits the rest.
    ...(smtpPassword && { smtpPasswordSealed: context.services.masterKey.seal(smtpPassword, smtpPasswordPlace) }),
  }
  const { publicUrl } = context.services.config
  const { enforceHTTPS } = (await context.services.settings.current()).security
  for (const [field, problem] of Object.entries(problemsOf[name](next, { publicUrl, enforceHTTPS })))
    if (problem) refuseProblem(settingsRefusals, { ...problem, field })
  await refuseUnknownPlan(tx, changed)
  await storeSettings(tx, name, next)
  const details = { ...changed, ...(smtpPassword && { smtpPassword: 'changed' }) }
  await recordAudit(tx, context, { act: 'settings.save', target: name, details })
}

const isOtherHost = (current: object, { smtpHost }: Record<string, unknown>): boolean =>
  smtpHost !== undefined && smtpHost !== (current as { smtpHost?: string }).smtpHost

async function refuseUnknownPlan(tx: Tx, { defaultPlan }: { defaultPlan?: unknown }): Promise<void> {
  if (typeof defaultPlan !== 'string' || defaultPlan === unlimitedPlan.name) return
  if (!(await findPlan(tx.db, defaultPlan)))
    refuseProblem(settingsRefusals, { code: 'DEFAULT_PLAN_UNKNOWN', field: 'defaultPlan' })
}
